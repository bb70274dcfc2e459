import { expect, test } from "vitest";
import type { AgentEvent } from "../../src/records/agent-event.ts";
import { recordedText, watched } from "../support/claude-recordings.ts";

const without = (type: AgentEvent["type"], events: readonly AgentEvent[]) =>
  events.filter((event) => event.type !== type);

test("a builder at work is told as it works, with what it was denied and what went wrong", () => {
  const { events, denials } = watched(recordedText("build"));
  expect(without("usage", events)).toEqual([
    { type: "text", text: "I look first." },
    { type: "tool_call", tool: "Read", target: "src/x.ts" },
    { type: "tool_call", tool: "Edit", target: "src/x.ts" },
    { type: "tool_call", tool: "Write", target: "other/no.ts" },
    { type: "denied", tool: "Write", target: "other/no.ts" },
    { type: "tool_call", tool: "Bash", target: "cat src/x.ts; false" },
    { type: "tool_error", tool: "Bash", text: expect.stringMatching(/^Exit code 1\n/) },
    { type: "text", text: expect.stringMatching(/^\{"summary"/) },
  ]);
  expect(denials).toEqual([{ tool: "Write", target: "other/no.ts" }]);
});

test("what the program tells the model is not what the agent says", () => {
  const texts = without("usage", watched(recordedText("schema-text")).events);
  expect(texts).toEqual([
    { type: "text", text: '{"n":4}' },
    { type: "text", text: '{"n":4}' },
  ]);
});

test("a message that comes in several blocks is counted once", () => {
  const used = watched(recordedText("build")).events.filter(({ type }) => type === "usage");
  expect(used).toEqual(
    [120, 240, 360, 480].map((inputTokens) => ({
      type: "usage",
      inputTokens,
      cachedInputTokens: 0,
      outputTokens: null,
      costUsd: null,
    })),
  );
});

test("thinking, repeated requests and limits have words of their own", () => {
  expect(without("usage", watched(recordedText("thinking")).events)).toEqual([
    { type: "thinking", text: "The file is small." },
    { type: "text", text: '{"ok":true}' },
  ]);
  expect(watched(recordedText("thinking")).events).toContainEqual(
    expect.objectContaining({ type: "usage", inputTokens: 150, cachedInputTokens: 40 }),
  );
  expect(watched(recordedText("retry")).events.slice(0, 2)).toEqual([
    { type: "retry", attempt: 1, reason: "529 overloaded" },
    { type: "retry", attempt: 2, reason: "500 server_error" },
  ]);
  const until = "2026-11-18T11:06:40.000Z";
  expect(watched(recordedText("usage-warning")).events).toContainEqual({
    type: "limit",
    text: "five_hour allowed_warning, 93 % used",
    until,
  });
  expect(watched(recordedText("usage-warning")).until).toBeNull();
  expect(watched(recordedText("usage-limit")).until).toBe(until);
  const rejected = { status: "rejected", resetsAt: 8e12 };
  expect(watched(JSON.stringify({ type: "rate_limit_event", rate_limit_info: rejected })).until).toBeNull();
});

test("the last object counts, alone, at the end of a stream or in an array", () => {
  const text = recordedText("build");
  const last = text.trim().split("\n").at(-1) ?? "";
  const array = `[${text.trim().split("\n").join(",")}]`;
  for (const shape of [last, text, array, `${last}\n${text}`]) expect(watched(shape).wrapper).toEqual(JSON.parse(last));
  expect(watched(array).events).toEqual(watched(text).events);
});

test.each([
  ["no JSON at all"],
  ['{"type":"assistant"}'],
  ['{"type":"assistant","message":{"content":"words"}}'],
  ['{"type":"assistant","message":{"content":[null,{"type":"tool_use"},{"type":"text","text":7}]}}'],
  ['{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"x"}]}}'],
  ['{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}'],
  ['{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":1e99}}'],
  // An account that is not used up: its next window is nothing to wait for when something else refuses.
  ['{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":1795000000}}'],
  ['[[{"type":"result"}], 3, "x"]'],
  ["null"],
  ["[".repeat(50_000)],
])("a line that says nothing to us is passed over: %.60s", (text) => {
  expect(watched(text)).toEqual({ wrapper: undefined, until: null, retryAt: null, denials: [], events: [] });
});

const line = (content: object) => JSON.stringify({ type: "assistant", message: { content: [content] } });

test("long texts are cut, and an answer to an unknown call names no tool", () => {
  const long = "x".repeat(10_000);
  expect(watched(line({ type: "text", text: long })).events).toEqual([{ type: "text", text: "x".repeat(500) }]);
  expect(watched(line({ type: "tool_use", id: "1", name: "Bash", input: { command: long } })).events).toEqual([
    { type: "tool_call", tool: "Bash", target: "x".repeat(500) },
  ]);
  const answer = { type: "tool_result", tool_use_id: "?", is_error: true, content: [{ text: "a" }] };
  expect(watched(line(answer)).events).toEqual([{ type: "tool_error", tool: null, text: "a" }]);
});

const refusal = (status: number) =>
  [
    "[log_1] response error (error) {",
    `  status: ${status},`,
    "  headers: {",
    '    "retry-after": "3600",',
    "  },",
    "}",
  ].join("\n");

test("how long a service asks to wait is read from the log of its requests, and only after a limit", () => {
  const before = Date.now();
  const { retryAt } = watched(refusal(429));
  expect(Date.parse(retryAt ?? "") - before).toBeGreaterThanOrEqual(3_600_000);
  expect(watched(refusal(500)).retryAt).toBeNull();
  expect(watched('  "retry-after": "3600",').retryAt).toBeNull();
});
