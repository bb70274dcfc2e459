import type { HistoryFile, JournalLine, TickEvent } from "../../contract/journal/event.ts";
import type { LineFold } from "../../contract/journal/folded-lines.ts";
import { evolve } from "./evolve.ts";
import { START, type TickState } from "./tick-state.ts";

export interface TickRecord {
  readonly runId: string;
  readonly seriesId: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly events: readonly TickEvent[];
  readonly state: TickState;
}

export class TickRecords implements LineFold {
  readonly #records = new Map<string, TickRecord>();

  take = (line: JournalLine): void => {
    this.#records.set(line.run_id, extendRecord(this.#records.get(line.run_id) ?? null, line));
  };

  find(runId: string): TickRecord | null {
    return this.#records.get(runId) ?? null;
  }

  all(): readonly TickRecord[] {
    return [...this.#records.values()];
  }
}

/** The lines of a journal only grow, so each list of them is folded once. */
const folded = new WeakMap<readonly JournalLine[], { readonly records: TickRecords; readonly lines: number }>();

/** In the order of their start. */
export function listTickRecords(lines: readonly JournalLine[]): readonly TickRecord[] {
  return foldTickRecords(lines).all();
}

export function foldTickRecords(lines: readonly JournalLine[]): TickRecords {
  const known = folded.get(lines);
  const records = known?.records ?? new TickRecords();
  for (const line of lines.slice(known?.lines ?? 0)) records.take(line);
  folded.set(lines, { records, lines: lines.length });
  return records;
}

export function findTickRecord(lines: readonly JournalLine[], runId: string): TickRecord | null {
  return lines
    .filter((line) => line.run_id === runId)
    .reduce<TickRecord | null>((record, line) => extendRecord(record, line), null);
}

/** Earlier records stay unchanged. */
function extendRecord(record: TickRecord | null, { run_id, series_id, at, seq, event }: JournalLine): TickRecord {
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

/** The recorded hashes; null in older journals. */
export function listHistoryFiles({ events }: TickRecord): readonly HistoryFile[] | null {
  const reported = events.findLast((event) => event.type === "reported");
  return reported?.history_files ?? null;
}
