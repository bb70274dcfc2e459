import type { JournalLine, TickEvent } from "../../contract/journal/event.ts";
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

interface Known {
  readonly records: Map<string, TickRecord>;
  count: number;
  last: JournalLine | undefined;
}

/** A journal only grows, so what was folded once is not folded again: a tick must not cost more after many others. */
const known = new WeakMap<readonly JournalLine[], Known>();

/** Every tick of the journal, in the order in which they began. */
export function tickRecords(lines: readonly JournalLine[]): readonly TickRecord[] {
  const earlier = known.get(lines);
  const isGrown = earlier !== undefined && lines[earlier.count - 1] === earlier.last;
  const folded = isGrown ? earlier : { records: new Map<string, TickRecord>(), count: 0, last: undefined };
  for (const line of lines.slice(folded.count))
    folded.records.set(line.run_id, extended(folded.records.get(line.run_id) ?? null, line));
  folded.count = lines.length;
  folded.last = lines.at(-1);
  known.set(lines, folded);
  return [...folded.records.values()];
}

/** One tick of the journal, or null where it knows none of that name. */
export function tickRecord(lines: readonly JournalLine[], runId: string): TickRecord | null {
  return lines
    .filter((line) => line.run_id === runId)
    .reduce<TickRecord | null>((record, line) => extended(record, line), null);
}

/** The record with one more line. Records that were handed out stay as they are. */
function extended(record: TickRecord | null, { run_id, series_id, at, seq, event }: JournalLine): TickRecord {
  const { startedAt = at, endedAt = null, firstSeq = seq, events = [], state = START } = record ?? {};
  return {
    runId: run_id,
    seriesId: record?.seriesId ?? series_id,
    startedAt,
    endedAt: event.type === "tick_ended" ? at : endedAt,
    firstSeq,
    lastSeq: seq,
    events: [...events, event],
    state: evolve(state, event),
  };
}
