/** What is seen of ticks, made of events, and the models that come of it. */
import type { AgentEvent } from "../../src/contract/agent-event.ts";
import { Config } from "../../src/contract/config.ts";
import type { JournalLine, TickEvent } from "../../src/contract/event.ts";
import { parseWith } from "../../src/contract/schema-error.ts";
import type { SeriesOptions } from "../../src/contract/series.ts";
import type { Sight } from "../../src/contract/sight.ts";
import { workspaceState } from "../../src/core/workspace-state.ts";
import { type LiveModel, newLive } from "../../src/view/live/live-model.ts";
import { reduceLive } from "../../src/view/live/reduce-live.ts";
import { whole } from "./journals.ts";
import { TICKS } from "./ticks.ts";

/** When the first tick begins. */
const BEGIN_MS = Date.parse("2026-03-01T12:00:00.000Z");
export const SERIES = "20260301T120000Z-0000aaaa";
const STEP_MS = 1000;

const parsed = parseWith(Config, {});
if (parsed.kind === "invalid") throw new Error("the defaults are not a configuration");
const BUDGETS = parsed.value.budgets;

export const LOOP: SeriesOptions = { command: "loop", mode: "milestone", max_ticks: 5 };

/** A story that is told from its beginning: what is recorded, a second apart, and what is heard in between. */
export function telling(command: string) {
  const lines: JournalLine[] = [];
  let model: LiveModel = reduceLive(newLive(command), { kind: "opened", seriesId: SERIES, lines: [] });
  let nowMs = BEGIN_MS;
  let ticks = 0;
  const see = (sight: Sight): void => {
    model = reduceLive(model, sight);
  };
  const record = (event: TickEvent, series = SERIES): void => {
    if (event.type === "tick_started") ticks += 1;
    const line: JournalLine = {
      seq: lines.length + 1,
      at: new Date(nowMs).toISOString(),
      run_id: `20260301T120000Z-${String(ticks).padStart(8, "0")}`,
      series_id: series,
      prev: null,
      event,
    };
    lines.push(line);
    see({ kind: "recorded", line });
    see({ kind: "spent", state: workspaceState(lines, BUDGETS), budgets: BUDGETS });
    nowMs += STEP_MS;
  };
  return {
    see,
    record,
    recordAll: (events: readonly TickEvent[]) => events.forEach((event) => record(event)),
    say: (speaker: string, event: AgentEvent) => see({ kind: "agent", atMs: nowMs, speaker, event }),
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
