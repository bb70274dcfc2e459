import type { JournalLine } from "../../records/event.ts";
import { type FoldedLines, foldShared, type LineFold } from "../../records/folded-lines.ts";
import { findJudged, findRollbackFailure } from "../../tick/pure/tick-facts.ts";
import { findTickRecord, type TickRecord } from "../../tick/pure/tick-records.ts";
import type { JudgedFacts } from "../../tick/pure/tick-state.ts";

/** A tick whose change was kept. */
export interface AcceptedRecord extends TickRecord {
  readonly facts: JudgedFacts;
}

/** A tick that runs or was interrupted; the oldest of several. */
export function findUnfinishedRun(lines: readonly JournalLine[]): TickRecord | null {
  const open = new Set<string>();
  const ended = new Set<string>();
  for (const { run_id, event } of lines) {
    if (event.type === "tick_ended") ended.add(run_id);
    // A person's later decision does not start the tick again.
    if (ended.has(run_id)) open.delete(run_id);
    else open.add(run_id);
  }
  const [runId] = open;
  return runId === undefined ? null : findTickRecord(lines, runId);
}

/** The tick whose rollback failed and was neither finished nor given up. */
export function findNotPutBackRun(records: readonly TickRecord[]): TickRecord | null {
  return records.find(({ state }) => findRollbackFailure(state) !== null) ?? null;
}

/** Whether every tick is over, and its change is settled. */
export function isAllSettled(records: readonly TickRecord[]): boolean {
  return records.every(({ endedAt }) => endedAt !== null) && findNotPutBackRun(records) === null;
}

/** The last kept change of this worktree that was not undone; linked worktrees share a journal. */
export function findLastAcceptedRun(lines: readonly JournalLine[], worktree: string): AcceptedRecord | null {
  return findLastAccepted(foldShared(lines), new Set([worktree]));
}

/** The same of an open journal, for a worktree under all of its paths. */
export function findLastAccepted(journal: FoldedLines, roots: ReadonlySet<string>): AcceptedRecord | null {
  let runId = journal.fold(AcceptedFold).find(roots);
  if (runId === undefined) {
    journal.lines();
    runId = journal.fold(AcceptedFold).find(roots);
  }
  return typeof runId === "string" ? withJudgedFacts(findTickRecord(journal.linesOf(runId), runId)) : null;
}

interface AcceptedRun {
  readonly runId: string;
  readonly worktree: string;
}

/** As many changes can be undone. */
const SAVED_MAX = 10;

/** The kept changes that were not undone, the newest last. */
export class AcceptedFold implements LineFold {
  private runs: AcceptedRun[] = [];
  /** Whether there were more. */
  private isCut = false;
  private readonly worktrees = new Map<string, string>();
  private readonly changed = new Set<string>();

  take = ({ run_id: runId, event }: JournalLine): void => {
    if (event.type === "tick_started") this.worktrees.set(runId, event.worktree);
    if (event.type === "judged" && event.blast_radius.files_touched > 0) this.changed.add(runId);
    if (event.type === "settled" && event.action !== "rollback" && this.changed.has(runId)) this.add(runId);
    if (event.type === "undone") this.runs = this.runs.filter((run) => run.runId !== runId);
    if (event.type === "tick_ended") this.forget(runId);
  };

  /** Null where there is none, undefined where only all lines can tell. */
  find(roots: ReadonlySet<string>): string | null | undefined {
    const found = this.runs.findLast(({ worktree }) => roots.has(worktree));
    return found?.runId ?? (this.isCut ? undefined : null);
  }

  /** The last run of each worktree. */
  newest(): readonly string[] {
    return [...new Map(this.runs.map(({ runId, worktree }) => [worktree, runId])).values()];
  }

  /** Between two ticks. */
  save(): string {
    const isCut = this.isCut || this.runs.length > SAVED_MAX;
    return JSON.stringify({ runs: this.runs.slice(-SAVED_MAX), isCut });
  }

  load(text: string): void {
    const { runs, isCut }: { readonly runs: AcceptedRun[]; readonly isCut: boolean } = JSON.parse(text);
    this.runs = runs;
    this.isCut = isCut;
  }

  private add(runId: string): void {
    this.runs.push({ runId, worktree: this.worktrees.get(runId) ?? "" });
  }

  private forget(runId: string): void {
    this.worktrees.delete(runId);
    this.changed.delete(runId);
  }
}

/** What the journal tells of all ticks together. */
export class RunsFold implements LineFold {
  count = 0;
  /** Whether each tick began after the one before it, by the clock. */
  isInOrder = true;
  private newestAt = "";
  private readonly known = new Set<string>();
  private readonly places = new Map<string, RunPlace>();
  private lastPlace: RunPlace | null = null;

  take = ({ run_id: runId, at, event }: JournalLine): void => {
    const isNew = event.type === "tick_started" || !this.isSummary;
    if (isNew && !this.known.has(runId)) {
      this.known.add(runId);
      this.count += 1;
      this.isInOrder &&= at >= this.newestAt;
      this.newestAt = at;
    }
    if (event.type !== "tick_started") return;
    const place = { worktree: event.worktree, gitPrefix: event.git_prefix };
    // Most ticks run where the last one did.
    if (this.lastPlace !== null && isSamePlace(place, this.lastPlace)) return;
    this.lastPlace = place;
    this.places.set(JSON.stringify(place), place);
  };

  /** Where ticks ran. */
  listPlaces(): readonly RunPlace[] {
    return [...this.places.values()];
  }

  save(): string {
    const { count, isInOrder, newestAt } = this;
    return JSON.stringify({ count, isInOrder, newestAt, places: [...this.places] });
  }

  load(text: string): void {
    const { places, ...saved }: SavedRuns = JSON.parse(text);
    Object.assign(this, saved);
    this.isSummary = true;
    for (const [key, place] of places) this.places.set(key, place);
  }

  /** Whether earlier ticks are only counted: a line of one of them is no new tick. */
  private isSummary = false;
}

interface RunPlace {
  readonly worktree: string;
  readonly gitPrefix: string;
}

function isSamePlace(one: RunPlace, other: RunPlace): boolean {
  return one.worktree === other.worktree && one.gitPrefix === other.gitPrefix;
}

interface SavedRuns extends Pick<RunsFold, "count" | "isInOrder"> {
  readonly newestAt: string;
  readonly places: readonly [string, RunPlace][];
}

function withJudgedFacts(record: TickRecord | null): AcceptedRecord | null {
  const facts = record && findJudged(record.state);
  return record && facts && { ...record, facts };
}

type RunFound =
  | { readonly kind: "run"; readonly runId: string }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly runIds: readonly string[] };

/**
 * Finds a tick by its id or by its beginning or end, because an id is long to type. Without an id it is the first of
 * the known ones, which are given newest first.
 */
export function findRun(asked: string | null, known: readonly string[]): RunFound {
  if (asked !== null && known.includes(asked)) return { kind: "run", runId: asked };
  const meant =
    asked === null
      ? known.slice(0, 1)
      : known.filter((runId) => asked !== "" && (runId.startsWith(asked) || runId.endsWith(asked)));
  const [runId, ...others] = meant;
  if (runId === undefined) return { kind: "none" };
  return others.length === 0 ? { kind: "run", runId } : { kind: "several", runIds: meant };
}
