/** Journals made of whole ticks, and of ticks that were cut short. */
import fc from "fast-check";
import type { JournalLine, TickEvent } from "../../src/records/event.ts";
import { findNext } from "../../src/tick/pure/find-next.ts";
import { evolve } from "../../src/tick/pure/evolve.ts";
import { START } from "../../src/tick/pure/tick-state.ts";
import { controlTask } from "./tasks.ts";
import { TICKS } from "./ticks.ts";

export interface TickOfJournal {
  readonly kind: keyof typeof TICKS | "goingOn";
  readonly series: number;
  readonly milestone: number;
  readonly cost: number | null;
  readonly isPatch: boolean;
  /** How many events were recorded before a crash; null where there was none. */
  readonly kept: number | null;
}

const goingOn: readonly TickEvent[] = [
  ...TICKS.accepted.slice(0, 3),
  { type: "planned", task: { ...controlTask, control: { action: "continue" } }, orchestrator_calls: 1 },
  {
    type: "judged",
    code: "SUCCESS",
    cause: null,
    evidence_sha256: "c".repeat(64),
    blast_radius: { files_touched: 0, lines_added: 0, lines_deleted: 0, new_files: 0 },
    findings: [],
    findings_total: 0,
    notes: [],
    touched_paths: [],
    touched_paths_total: 0,
  },
  { type: "settle_started", action: "accept" },
  { type: "settled", action: "accept", commit: null, branch: null, salvage: null },
];

/** The events of a tick with the two that end every tick. */
export function whole(events: readonly TickEvent[]): readonly TickEvent[] {
  const reported: TickEvent = { type: "reported", report_sha256: "d".repeat(64) };
  const next = findNext([...events, reported].reduce(evolve, START));
  if (!("event" in next)) throw new Error("the tick does not end here");
  return [...events, reported, next.event];
}

function varied(event: TickEvent, { milestone, cost, isPatch }: TickOfJournal): TickEvent {
  if (event.type === "planned") return { ...event, task: { ...event.task, milestone_id: `M-${milestone}` } };
  if (event.type === "build_started") return { ...event, driver: isPatch ? "patch" : event.driver };
  if (event.type !== "build_ended") return event;
  const usage = { input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: cost };
  return { ...event, usage };
}

const WRITTEN: TickEvent = { type: "written" };

/** A patch is written once it was judged. */
function isWrittenAfter(event: TickEvent, all: readonly TickEvent[]): boolean {
  const isPatch = all.some((other) => other.type === "build_started" && other.driver === "patch");
  return isPatch && event.type === "judged" && event.code === "SUCCESS";
}

const pad = (number: number, length: number) => String(number).padStart(length, "0");

/** The lines of these ticks, one after the other. The hashes are not those of a real journal. */
export function journalOf(ticks: readonly Partial<TickOfJournal>[]): readonly JournalLine[] {
  const lines: JournalLine[] = [];
  for (const [number, given] of ticks.entries()) {
    const tick: TickOfJournal = {
      kind: "accepted",
      series: 0,
      milestone: 0,
      cost: null,
      isPatch: false,
      kept: null,
      ...given,
    };
    const events = whole(tick.kind === "goingOn" ? goingOn : TICKS[tick.kind])
      .map((event) => varied(event, tick))
      .flatMap((event, _at, all) => (isWrittenAfter(event, all) ? [event, WRITTEN] : [event]));
    for (const event of events.slice(0, tick.kept ?? events.length)) {
      lines.push({
        version: 1,
        seq: lines.length,
        at: `2026-01-31T23:59:59.${pad(lines.length % 1000, 3)}Z`,
        run_id: runName(number),
        series_id: seriesName(tick.series),
        prev: lines.length === 0 ? null : "0".repeat(64),
        event,
      });
    }
  }
  return lines;
}

export function runName(number: number): string {
  return `20260131T235959Z-${pad(number, 8)}`;
}

export function seriesName(number: number): string {
  return `series-${pad(number, 4)}`;
}

const kinds = Object.keys(TICKS).filter((kind): kind is keyof typeof TICKS => kind in TICKS);

export const arbitraryTickOfJournal: fc.Arbitrary<TickOfJournal> = fc.record({
  kind: fc.constantFrom(...kinds, "goingOn", "goingOn", "rateLimited"),
  series: fc.nat({ max: 2 }),
  milestone: fc.oneof(fc.constant(0), fc.nat({ max: 2 })),
  cost: fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { nil: null }),
  isPatch: fc.boolean(),
  kept: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null, freq: 3 }),
});
