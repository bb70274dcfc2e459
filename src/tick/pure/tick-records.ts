import type { HistoryFile, JournalLine, TickEvent } from "../../records/event.ts";
import type { LineFold } from "../../records/folded-lines.ts";
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

interface OpenRecord {
  /** Among all of them. */
  readonly place: number;
  record: TickRecord | null;
  /** Lines that are not part of the record yet. */
  added: JournalLine[];
}

/** A record is made when somebody asks for it, so that a line of a long journal costs little. */
export class TickRecords implements LineFold {
  readonly #records = new Map<string, OpenRecord>();
  readonly #made: TickRecord[] = [];
  readonly #stale = new Set<OpenRecord>();

  take = (line: JournalLine): void => {
    const open = this.#records.get(line.run_id) ?? { place: this.#records.size, record: null, added: [] };
    if (open.record === null && open.added.length === 0) this.#records.set(line.run_id, open);
    open.added.push(line);
    this.#stale.add(open);
  };

  find(runId: string): TickRecord | null {
    const open = this.#records.get(runId);
    return open === undefined ? null : this.#make(open);
  }

  all(): readonly TickRecord[] {
    for (const open of this.#stale) this.#make(open);
    this.#stale.clear();
    return [...this.#made];
  }

  #make(open: OpenRecord): TickRecord | null {
    if (open.added.length > 0) open.record = extendRecord(open.record, open.added);
    open.added = [];
    if (open.record !== null) this.#made[open.place] = open.record;
    return open.record;
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
  return extendRecord(
    null,
    lines.filter((line) => line.run_id === runId),
  );
}

/** Earlier records stay unchanged. */
function extendRecord(record: TickRecord | null, added: readonly JournalLine[]): TickRecord | null {
  const [first, last] = [added[0], added.at(-1)];
  if (first === undefined || last === undefined) return record;
  const { events, state, ...known } = record ?? startRecord(first);
  const fresh = added.map(({ event }) => event);
  const end = added.findLast(({ event }) => event.type === "tick_ended");
  return {
    ...known,
    endedAt: end?.at ?? known.endedAt,
    lastSeq: last.seq,
    events: [...events, ...fresh],
    state: fresh.reduce(evolve, state),
  };
}

function startRecord({ run_id: runId, series_id: seriesId, at: startedAt, seq }: JournalLine): TickRecord {
  return { runId, seriesId, startedAt, endedAt: null, firstSeq: seq, lastSeq: seq, events: [], state: START };
}

/** The recorded hashes; null where the report failed. */
export function listHistoryFiles({ events }: TickRecord): readonly HistoryFile[] | null {
  const reported = events.findLast((event) => event.type === "reported");
  return reported?.history_files ?? null;
}
