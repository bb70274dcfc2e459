/** What somebody in another process reads in the transcript of a session. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTranscriptEvents } from "../../src/agents/read-transcript.ts";
import type { AgentEvent } from "../../src/records/agent-event.ts";

function eventsOf(driver: Parameters<typeof readTranscriptEvents>[0], lines: readonly string[]) {
  const events: AgentEvent[] = [];
  const read = readTranscriptEvents(driver, (event) => void events.push(event));
  for (const line of lines) read(line);
  return events;
}

test("Claude Code tells the same as it told its driver", () => {
  const text = readFileSync(join(import.meta.dirname, "../fixtures/claude/build.jsonl"), "utf8");
  const events = eventsOf("claude_code", [...text.split("\n"), "half a li"]);
  expect(events).toContainEqual({ type: "text", text: "I look first." });
  expect(events).toContainEqual({ type: "tool_call", tool: "Read", target: "src/x.ts" });
});

test("codex tells the same as it told its driver", () => {
  const item = { id: "1", type: "command_execution", command: "ls src", status: "in_progress" };
  const events = eventsOf("codex", [JSON.stringify({ type: "item.started", item }), "no line of codex"]);
  expect(events).toEqual([{ type: "tool_call", tool: expect.any(String), target: expect.stringContaining("ls src") }]);
});

test("of any other program it is what it printed, and of a patch there is nothing", () => {
  const lines = ["hammering away", "   ", "x".repeat(1000)];
  const events = [
    { type: "output", text: "hammering away" },
    { type: "output", text: "x".repeat(400) },
  ];
  expect(eventsOf("command", lines)).toEqual(events);
  expect(eventsOf("scripted", lines)).toEqual(events);
  expect(eventsOf("patch", lines)).toEqual([]);
});
