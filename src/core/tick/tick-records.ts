import type { JournalLine, TickEvent } from "../../contract/journal/event.ts";
import { foldLines, type LineFold } from "../../contract/journal/folded-lines.ts";
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

/** Every tick of a journal. */
export class TickRecords implements LineFold {
  readonly #records = new Map<string, TickRecord>();

  take = (line: JournalLine): void => {
    this.#records.set(line.run_id, extended(this.#records.get(line.run_id) ?? null, line));
  };

  /** In the order in which they began. */
  all(): readonly TickRecord[] {
    return [...this.#records.values()];
  }
}

/** Every tick of these lines, in the order in which they began. */
export function listTickRecords(lines: readonly JournalLine[]): readonly TickRecord[] {
  return foldLines(lines).fold(TickRecords).all();
}

/** One tick of the journal, or null where it knows none of that name. */
export function findTickRecord(lines: readonly JournalLine[], runId: string): TickRecord | null {
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
