/** What a scripted model says to Claude Code, in the words of its tools. */
import type { Fault, ToolCall, Turn } from "../model-api/script.ts";
import { RESULT } from "../support/scenario-documents.ts";

export const PLANS = "You plan for relais";
export const BUILDS = "You build for relais";

export const read = (path: string): ToolCall => ({ tool: "Read", input: { file_path: path } });
export const edit = (path: string, from: string, to: string): ToolCall => ({
  tool: "Edit",
  input: { file_path: path, old_string: from, new_string: to },
});
export const shell = (command: string): ToolCall => ({
  tool: "Bash",
  input: { command, description: "Work" },
});
export const structured = (input: Readonly<Record<string, unknown>>): ToolCall => ({
  tool: "StructuredOutput",
  input,
});
export const GOOD = [read("src/main.ts"), edit("src/main.ts", "answer = 41", "answer = 42")];
const RESULTED: Turn = { when: [BUILDS], calls: [structured({ ...RESULT })] };
export const working = (...calls: readonly ToolCall[]): readonly Turn[] => [
  ...calls.map((call) => ({ when: [BUILDS], calls: [call] })),
  RESULTED,
];
export const failing = (fault: Fault): readonly Turn[] => [{ fault, times: 20 }];
export const status = (code: number, error: Readonly<Record<string, unknown>> = {}): readonly Turn[] =>
  failing({ kind: "status", status: code, error });
/** With another model to turn to, a request is repeated more often, and each time later. */
export const ALONE = { models: { orchestrator_fallback_model: null, builder_fallback_model: null } };
