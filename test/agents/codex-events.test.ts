import { expect, test } from "vitest";
import { advance, listCodexEvents, NO_PROGRESS, readCodexLine } from "../../src/agents/codex-events.ts";
import { splitOutputLines } from "../../src/agents/supervise-session.ts";

const eventsOf = (text: string) => {
  const line = readCodexLine(text);
  return line === null ? null : listCodexEvents(line);
};
const item = (type: "started" | "completed", fields: object) =>
  JSON.stringify({ type: `item.${type}`, item: { id: "item_0", ...fields } });
const command = (fields: object) => ({
  type: "command_execution",
  command: "/bin/bash -lc 'echo hi'",
  aggregated_output: "",
  exit_code: null,
  status: "in_progress",
  ...fields,
});

test("what codex does is told in the words of relais", () => {
  expect(eventsOf(item("started", command({})))).toEqual([
    { type: "tool_call", tool: "shell", target: "/bin/bash -lc 'echo hi'" },
  ]);
  expect(eventsOf(item("completed", command({ exit_code: 0, status: "completed" })))).toEqual([]);
  expect(eventsOf(item("completed", command({ exit_code: 3, aggregated_output: "no\n", status: "failed" })))).toEqual([
    { type: "tool_error", tool: "shell", text: "no" },
  ]);
  expect(eventsOf(item("completed", command({ exit_code: -1, status: "declined" })))).toMatchObject([
    { type: "denied", tool: "shell" },
  ]);
  const changes = [
    { path: "/r/src/x.ts", kind: "update" },
    { path: "/r/src/y.ts", kind: "add" },
  ];
  expect(eventsOf(item("completed", { type: "file_change", changes, status: "completed" }))).toMatchObject([
    { tool: "apply_patch", target: "/r/src/x.ts" },
    { target: "/r/src/y.ts" },
  ]);
  expect(eventsOf(item("completed", { type: "reasoning", text: "Hm." }))).toEqual([{ type: "thinking", text: "Hm." }]);
  expect(
    eventsOf(
      '{"type":"error","message":"Reconnecting... 1/2 (exceeded retry limit, last status: 429 Too Many Requests)"}',
    ),
  ).toEqual([{ type: "retry", attempt: 1, reason: "(exceeded retry limit, last status: 429 Too Many Requests)" }]);
  expect(
    eventsOf(
      '{"type":"turn.completed","usage":{"input_tokens":240,"cached_input_tokens":4,"cache_write_input_tokens":0,"output_tokens":60,"reasoning_output_tokens":0}}',
    ),
  ).toEqual([{ type: "usage", inputTokens: 240, cachedInputTokens: 4, outputTokens: 60, costUsd: null }]);
});

test("a long text is cut, and a line that says nothing to us is passed over", () => {
  expect(eventsOf(item("completed", { type: "agent_message", text: "x".repeat(9000) }))).toEqual([
    { type: "text", text: "x".repeat(500) },
  ]);
  for (const text of ['{"type":"thread.started","thread_id":"1"}', '{"type":"turn.started"}', "{", "", "null"])
    expect(eventsOf(text)).toBeNull();
  expect(eventsOf(item("completed", { type: "error", message: "no metadata for the model" }))).toBeNull();
  expect(eventsOf(item("completed", { type: "todo_list", items: [] }))).toBeNull();
});

const read = (texts: readonly string[]) =>
  texts.reduce((progress, text) => {
    const line = readCodexLine(text);
    return line === null ? progress : advance(progress, line);
  }, NO_PROGRESS);

test("the verdict is that of the turn, the result its last message, and an error is only a notice", () => {
  const lines = [
    item("completed", { type: "agent_message", text: "I begin." }),
    '{"type":"error","message":"Reconnecting... 1/2"}',
    item("completed", { type: "agent_message", text: '{"ok":true}' }),
    '{"type":"turn.completed","usage":{"input_tokens":2,"output_tokens":1}}',
  ];
  expect(read(lines.slice(0, 3))).toMatchObject({ verdict: "none", message: '{"ok":true}' });
  expect(read(lines)).toEqual({
    verdict: "completed",
    reason: "",
    message: '{"ok":true}',
    usage: { input_tokens: 2, cached_input_tokens: null, output_tokens: 1, cost_usd: null },
    thread: null,
  });
  expect(read(['{"type":"turn.failed","error":{"message":"no"}}'])).toMatchObject({
    verdict: "failed",
    reason: "no",
  });
});

test("lines are put together from chunks, and a monstrous one is passed over", () => {
  const seen: string[] = [];
  const lines = splitOutputLines((line) => seen.push(line));
  const bytes = Buffer.from("one\n\nzwö\nlast");
  for (const byte of bytes) lines.take(Buffer.from([byte]));
  expect(seen).toEqual(["one", "zwö"]);
  lines.end();
  expect(seen).toEqual(["one", "zwö", "last"]);
  for (let megabyte = 0; megabyte < 5; megabyte += 1) lines.take(Buffer.alloc(1024 * 1024, "x"));
  lines.take(Buffer.from("x\nafter\n"));
  expect(seen.slice(3)).toEqual(["after"]);
});
