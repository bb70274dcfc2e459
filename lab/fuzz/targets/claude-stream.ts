import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { FuzzTarget } from "../target.ts";
import { watchClaude } from "../../../src/agents/claude-events.ts";
import { readClaudeEnding } from "../../../src/agents/claude-code.ts";
import { Usage } from "../../../src/records/agent.ts";

const FOLDER = "test/fixtures/claude";
const NOW_MS = Date.parse("2026-01-15T10:00:00Z");
const TEXT_CHARS_MAX = 600;

/** The output of Claude Code: its events are shown, its usage is counted as money. */
export const claudeStream: FuzzTarget = {
  name: "claude-stream",
  seeds: () => readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name))),
  words: [
    "tool_result",
    "tool_use",
    "rate_limit_event",
    "result",
    "usage",
    "is_error",
    "structured_output",
    "resetsAt",
  ],
  check: (data) => {
    const watch = watchClaude((event) => {
      for (const value of Object.values(event)) {
        if (typeof value === "string") assert(value.length <= TEXT_CHARS_MAX, `a text of ${value.length} characters`);
        if (typeof value === "number") assert(Number.isFinite(value), `a number that is ${value}`);
      }
    });
    for (const line of data.toString("utf8").split("\n")) watch.line(line, line);
    const seen = watch.seen();
    for (const time of [seen.until, seen.retryAt])
      assert(time === null || !Number.isNaN(Date.parse(time)), `a time that is none: ${time}`);
    const ending = readClaudeEnding({ status: 0, stderr: "", seen, isEnveloped: false, nowMs: NOW_MS });
    if ("usage" in ending && ending.usage !== null && ending.usage !== undefined) v.parse(Usage, ending.usage);
  },
};
