/** What is seen of ticks, made of events, and the models that come of it. */
import type { AgentEvent } from "../../src/records/agent-event.ts";
import { Config } from "../../src/config/config.ts";
import type { JournalLine, TickEvent } from "../../src/records/event.ts";
import { parseWith } from "../../src/base/schema-error.ts";
import type { SeriesOptions } from "../../src/records/series.ts";
import type { LiveEvent } from "../../src/records/live-event.ts";
import { foldWorkspaceState } from "../../src/journal/pure/workspace-state.ts";
import { type LiveModel, createLive } from "../../src/cards/live-model.ts";
import { renderFrame } from "../../src/cards/frame.ts";
import { reduceLive } from "../../src/cards/reduce-live.ts";
import { plainStyle } from "../../src/base/style.ts";
import { whole } from "./journals.ts";
import { TICKS } from "./ticks.ts";

/** When the first tick begins. */
const BEGIN_MS = Date.parse("2026-03-01T12:00:00.000Z");
const SERIES = "20260301T120000Z-0000aaaa";
const STEP_MS = 1000;

const parsed = parseWith(Config, {});
if (parsed.kind === "invalid") throw new Error("the defaults are not a configuration");
const BUDGETS = parsed.value.budgets;

export const LOOP: SeriesOptions = { command: "loop", mode: "milestone", max_ticks: 5 };

/** A story that is told from its beginning: what is recorded, a second apart, and what is heard in between. */
export function telling(command: string) {
  const lines: JournalLine[] = [];
  let model: LiveModel = reduceLive(createLive(command), { kind: "opened", seriesId: SERIES, lines: [] });
  let nowMs = BEGIN_MS;
  let ticks = 0;
  const emit = (event: LiveEvent): void => {
    model = reduceLive(model, event);
  };
  const record = (event: TickEvent, series = SERIES): void => {
    if (event.type === "tick_started") ticks += 1;
    const line: JournalLine = {
      version: 1,
      seq: lines.length + 1,
      at: new Date(nowMs).toISOString(),
      run_id: `20260301T120000Z-${String(ticks).padStart(8, "0")}`,
      series_id: series,
      prev: null,
      event,
    };
    lines.push(line);
    emit({ kind: "recorded", line });
    emit({ kind: "spent", state: foldWorkspaceState(lines, BUDGETS), budgets: BUDGETS });
    nowMs += STEP_MS;
  };
  return {
    emit,
    record,
    recordAll: (events: readonly TickEvent[]) => events.forEach((event) => record(event)),
    say: (speaker: string, event: AgentEvent) => emit({ kind: "agent", atMs: nowMs, speaker, event }),
    wait: (ms: number) => {
      nowMs += ms;
    },
    model: () => model,
    now: () => nowMs,
  };
}

export type Telling = ReturnType<typeof telling>;

/** The events of a whole tick that belongs to a series. */
export function tickOf(
  kind: keyof typeof TICKS,
  series: SeriesOptions | null,
  over: object = {},
): readonly TickEvent[] {
  return whole(TICKS[kind]).map((event) =>
    event.type === "tick_started" ? { ...event, ...(series === null ? {} : { series }), ...over } : event,
  );
}

/** The beginning of a tick, up to and with the first event of this type. */
export function until(events: readonly TickEvent[], type: TickEvent["type"]): readonly TickEvent[] {
  return events.slice(0, events.findIndex((event) => event.type === type) + 1);
}

interface Size {
  readonly columns?: number;
  readonly rows?: number;
}

/** The lines of a frame without colours. */
export const linesOf = ({ model, now }: Telling, { columns = 80, rows = 24 }: Size = {}): readonly string[] =>
  renderFrame(model(), { columns, rows, now: now(), style: plainStyle });

/** As a block of text, for people to read in this file. */
export const shown = (told: Telling, size: Size = {}): string => `\n${linesOf(told, size).join("\n")}\n`;

/** The third tick of a loop, while the builder works. */
export function building(): Telling {
  const told = telling("loop");
  told.recordAll(tickOf("committed", LOOP));
  told.recordAll(tickOf("outsideScope", LOOP));
  told.emit({ kind: "limits", limits: { orchestrator: null, builder: 600_000, reviewer: null } });
  told.recordAll(until(tickOf("committed", LOOP), "build_started"));
  told.say("builder", { type: "text", text: "I look at the parser first." });
  told.say("builder", { type: "tool_call", tool: "Read", target: "src/x.ts" });
  told.say("builder", {
    type: "usage",
    inputTokens: 48_213,
    cachedInputTokens: 40_000,
    outputTokens: 812,
    costUsd: 0.0731,
  });
  told.wait(61_000);
  told.say("builder", { type: "tool_call", tool: "Edit", target: "src/x.ts" });
  told.wait(4000);
  return told;
}

/** A goal with three reviewers. */
export const GOAL: SeriesOptions = {
  command: "goal",
  mode: null,
  max_ticks: null,
  goal: {
    objective: "Every price is rounded the same way, and a test says so.",
    criteria: null,
    max_turns: 8,
    review_quorum: 2,
    reviewers: ["completion", "evidence", "risk"],
    blocker_threshold: 2,
    base: { ref: "origin/main", commit: "a".repeat(40) },
  },
};
