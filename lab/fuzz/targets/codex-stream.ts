import assert from "node:assert/strict";
import * as v from "valibot";
import type { FuzzTarget } from "../target.ts";
import { advance, listCodexEvents, NO_PROGRESS, readCodexLine } from "../../../src/agents/codex-events.ts";
import { readCodexFailure } from "../../../src/agents/codex-failure.ts";
import { Usage } from "../../../src/records/agent.ts";

const NOW_MS = Date.parse("2026-01-15T10:00:00Z");
const LINES = [
  { type: "item.started", item: { type: "command_execution", command: "npm test", status: "in_progress" } },
  {
    type: "item.completed",
    item: { type: "command_execution", command: "npm test", aggregated_output: "no", exit_code: 1, status: "failed" },
  },
  { type: "item.completed", item: { type: "agent_message", text: "done" } },
  { type: "item.completed", item: { type: "reasoning", text: "hm" } },
  { type: "item.completed", item: { type: "file_change", changes: [{ path: "a", kind: "add" }], status: "completed" } },
  { type: "item.started", item: { type: "mcp_tool_call", server: "s", tool: "t" } },
  { type: "turn.completed", usage: { input_tokens: 5, cached_input_tokens: 2, output_tokens: 7 } },
  { type: "error", message: "Reconnecting... 1/5 (unexpected status 429 Too Many Requests)" },
  { type: "turn.failed", error: { message: "You've hit your usage limit. Try again at Nov 18th, 2026 6:55 PM." } },
  { type: "turn.failed", error: { message: "Rate limit reached, please try again in 11.054s (last status: 429)." } },
];

/** The output of Codex. */
export const codexStream: FuzzTarget = {
  name: "codex-stream",
  seeds: () => [
    Buffer.from(LINES.map((line) => JSON.stringify(line)).join("\n")),
    ...LINES.map((line) => Buffer.from(JSON.stringify(line))),
  ],
  words: [
    "try again in 1d 2h",
    "try again at 9:35 AM",
    "web_search",
    "declined",
    "unexpected status 529",
    "usage limit",
  ],
  check: (data) => {
    let progress = NO_PROGRESS;
    for (const text of data.toString("utf8").split("\n")) {
      const line = readCodexLine(text);
      if (line === null) continue;
      for (const event of listCodexEvents(line))
        for (const value of Object.values(event))
          assert(typeof value !== "number" || Number.isFinite(value), `a number that is ${String(value)}`);
      progress = advance(progress, line);
    }
    if (progress.usage !== null) v.parse(Usage, progress.usage);
    const { until } = readCodexFailure(progress.reason, NOW_MS);
    assert(until === null || !Number.isNaN(Date.parse(until)), `a time that is none: ${until}`);
  },
};
