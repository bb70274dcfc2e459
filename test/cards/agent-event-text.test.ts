import { expect, test } from "vitest";
import { renderAgentEvent } from "../../src/cards/agent-event-text.ts";

test("each event is one line that says who does what", () => {
  const lines = [
    { type: "thinking", text: "hm\n\nyes" },
    { type: "text", text: "I look." },
    { type: "tool_call", tool: "Bash", target: "npm test" },
    { type: "tool_call", tool: "Bash", target: null },
    { type: "tool_error", tool: null, text: "exit 1\nboom" },
    { type: "usage", inputTokens: 1, cachedInputTokens: 0, outputTokens: null, costUsd: null },
    { type: "retry", attempt: 2, reason: "529 overloaded" },
    { type: "limit", text: "session limit", until: "2026-01-01T00:00:00.000Z" },
    { type: "limit", text: "weekly limit", until: null },
    { type: "denied", tool: "Write", target: "a.ts" },
  ] as const;
  expect(lines.map((event) => renderAgentEvent("builder", event))).toEqual([
    "builder: thinks: hm yes",
    "builder: says: I look.",
    "builder: Bash npm test",
    "builder: Bash",
    "builder: a tool failed: exit 1 boom",
    null,
    "builder: Retrying (2): 529 overloaded",
    "builder: limit: session limit, until 2026-01-01T00:00:00.000Z",
    "builder: limit: weekly limit",
    "builder: was denied Write a.ts",
  ]);
});

test("an agent's words cannot reach the terminal, and have an end", () => {
  const line = renderAgentEvent("reviewer risk", { type: "text", text: `\u001B[2J\u202E${"x".repeat(999)}` });
  expect(line).toMatch(/^reviewer risk: says: \\u\{1b\}\[2J\\u\{202e\}x+…$/);
  expect(line?.length).toBeLessThanOrEqual(160);
});
