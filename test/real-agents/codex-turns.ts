/** What a scripted model says to codex, in the words of its tools. */
import type { Fault, ToolCall, Turn } from "../model-api/script.ts";
import { RESULT } from "../support/scenario-documents.ts";

export const PLANS = "You plan for relais";
export const BUILDS = "You build for relais";

export const patch = (path: string, from: string, to: string): ToolCall => ({
  tool: "apply_patch",
  input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n*** End Patch\n`,
});
export const shell = (cmd: string): ToolCall => ({ tool: "exec_command", input: { cmd } });
export const GOOD = patch("src/main.ts", "export const answer = 41;", "export const answer = 42;");

/** A builder that makes these calls one after the other and then leaves a good result. */
export const working = (...calls: readonly ToolCall[]): readonly Turn[] => [
  ...calls.map((call) => ({ when: [BUILDS], calls: [call] })),
  { when: [BUILDS], json: RESULT },
];
export const failing = (fault: Fault): readonly Turn[] => [{ fault, times: 20 }];
export const status = (code: number, error: Readonly<Record<string, unknown>> = {}): readonly Turn[] =>
  failing({ kind: "status", status: code, error });
