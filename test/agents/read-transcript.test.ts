/** A transcript, read whole for a person. */
import { expect, test } from "vitest";
import { readTranscript } from "../../src/agents/read-transcript.ts";
import type { TranscriptEntry } from "../../src/records/transcript-entry.ts";
import { recordedText } from "../support/claude-recordings.ts";

function entriesOf(driver: Parameters<typeof readTranscript>[0], lines: readonly string[]): readonly TranscriptEntry[] {
  const { line, rest } = readTranscript(driver);
  return [...lines.flatMap((text) => [...line(text)]), ...rest()];
}

const used = (over: object): object => ({ type: "used", status: "ok", exit: null, output: "", ...over });

test("Claude Code: words, files, commands with their ends, and denied tools", () => {
  expect(entriesOf("claude_code", recordedText("build").split("\n"))).toEqual([
    { type: "said", text: "I look first." },
    used({ tool: "Read", kind: "read", target: "src/x.ts", output: "1\texport const x = 1;\n2\t" }),
    used({ tool: "Edit", kind: "write", target: "src/x.ts", output: expect.stringContaining("updated") }),
    used({ tool: "Write", kind: "write", target: "other/no.ts", status: "denied" }),
    used({
      tool: "Bash",
      kind: "command",
      target: "cat src/x.ts; false",
      status: "failed",
      exit: 1,
      output: "export const x = 2;",
    }),
    { type: "said", text: expect.stringContaining('"summary":"x is 2"') },
  ]);
});

test("Claude Code: thoughts, repeated requests, limits, failed ends, and a tool that never ended", () => {
  const typesOf = (name: string) => entriesOf("claude_code", recordedText(name).split("\n")).map(({ type }) => type);
  expect(typesOf("thinking")).toContain("thought");
  expect(typesOf("retry")).toContain("note");
  expect(typesOf("usage-limit")).toContain("note");
  expect(entriesOf("claude_code", recordedText("max-turns").split("\n")).at(-1)).toMatchObject({ type: "note" });
  const open = { type: "assistant", message: { content: [{ type: "tool_use", id: "1", name: "Bash", input: {} }] } };
  expect(entriesOf("claude_code", [JSON.stringify(open)])).toEqual([
    used({ tool: "Bash", kind: "command", target: null, status: "open" }),
  ]);
});

const shownOf = (name: string) =>
  entriesOf("claude_code", recordedText(name).split("\n")).flatMap((entry) => (entry.type === "used" ? [entry] : []));

test("Claude Code: the tool that hands over the result is shown only if it failed", () => {
  expect(recordedText("structured")).toContain("StructuredOutput");
  expect(shownOf("structured").map(({ tool }) => tool)).not.toContain("StructuredOutput");
  expect(shownOf("schema-unsatisfied")).toContainEqual(
    expect.objectContaining({ tool: "StructuredOutput", status: "failed" }),
  );
});

const item = (type: "started" | "completed", of: object) => JSON.stringify({ type: `item.${type}`, item: of });

test("codex: words, commands, changed files, and a command that never ended", () => {
  const command = { type: "command_execution", command: "npm test", aggregated_output: "red\n", exit_code: 2 };
  const lines = [
    item("completed", { type: "reasoning", text: "hm" }),
    item("started", { ...command, exit_code: null, status: "in_progress" }),
    item("completed", { ...command, status: "failed" }),
    item("completed", { ...command, command: "rm -rf /", exit_code: null, status: "declined" }),
    item("completed", {
      type: "file_change",
      changes: [{ path: "a.ts", kind: "add" }, { path: "b.ts" }],
      status: "completed",
    }),
    item("started", { ...command, command: "sleep 9" }),
    item("completed", { type: "agent_message", text: "Done." }),
    JSON.stringify({ type: "turn.failed", error: { message: "no quota" } }),
  ];
  expect(entriesOf("codex", lines)).toEqual([
    { type: "thought", text: "hm" },
    used({ tool: "shell", kind: "command", target: "npm test", status: "failed", exit: 2, output: "red\n" }),
    used({ tool: "shell", kind: "command", target: "rm -rf /", status: "denied", output: "red\n" }),
    used({ tool: "add", kind: "write", target: "a.ts" }),
    used({ tool: "update", kind: "write", target: "b.ts" }),
    { type: "said", text: "Done." },
    { type: "note", text: "no quota" },
    used({ tool: "shell", kind: "command", target: "sleep 9", status: "open" }),
  ]);
});

test("other programs as they printed, and what a known one printed instead of starting", () => {
  expect(entriesOf("command", ["one", "", "\u001B[31mtwo"])).toEqual([
    { type: "output", text: "one" },
    { type: "output", text: "" },
    { type: "output", text: "\u001B[31mtwo" },
  ]);
  expect(entriesOf("claude_code", ["error: unknown option", ""])).toEqual([
    { type: "output", text: "error: unknown option" },
  ]);
  expect(entriesOf("claude_code", ["[log] noise", ...recordedText("build").split("\n")])).not.toContainEqual({
    type: "output",
    text: "[log] noise",
  });
  expect(entriesOf("patch", ["x"])).toEqual([]);
});

test("Claude Code: other lines are shown only if no session began", () => {
  const begun = JSON.stringify({ type: "system", subtype: "init", session_id: "1" });
  expect(entriesOf("claude_code", ["not logged in"])).toEqual([{ type: "output", text: "not logged in" }]);
  expect(entriesOf("claude_code", [begun, "[log_1] sending request {", "  method: x", "}"])).toEqual([]);
});
