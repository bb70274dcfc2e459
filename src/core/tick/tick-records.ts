import type { JournalLine, TickEvent } from "../../contract/event.ts";
import { evolve } from "./evolve.ts";
import { START, type TickState } from "./tick-state.ts";

/** One tick as the journal tells it. */
export interface TickRecord {
  readonly runId: string;
  readonly seriesId: string;
  readonly startedAt: string;
  /** Null while the tick is not over. */
  readonly endedAt: string | null;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly events: readonly TickEvent[];
  readonly state: TickState;
}

/** Every tick of the journal, in the order in which they began. */
export function tickRecords(lines: readonly JournalLine[]): readonly TickRecord[] {
  const runs = new Map<string, JournalLine[]>();
  for (const line of lines) {
    const known = runs.get(line.run_id);
    if (known === undefined) runs.set(line.run_id, [line]);
    else known.push(line);
  }
  return [...runs.values()].flatMap(recordOf);
}

/** One tick of the journal, or null where it knows none of that name. */
export function tickRecord(lines: readonly JournalLine[], runId: string): TickRecord | null {
  return recordOf(lines.filter((line) => line.run_id === runId))[0] ?? null;
}

function recordOf(lines: readonly JournalLine[]): readonly TickRecord[] {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return [];
  const events = lines.map(({ event }) => event);
  const record = {
    runId: first.run_id,
    seriesId: first.series_id,
    startedAt: first.at,
    endedAt: lines.findLast(({ event }) => event.type === "tick_ended")?.at ?? null,
    firstSeq: first.seq,
    lastSeq: last.seq,
    events,
    state: events.reduce(evolve, START),
  };
  return [record];
}
