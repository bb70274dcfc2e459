import type { JournalLine } from "../../contract/journal/event.ts";
import { findJudged, findRollbackFailure } from "../tick/tick-facts.ts";
import { findTickRecord, type TickRecord } from "../tick/tick-records.ts";
import type { JudgedFacts } from "../tick/tick-state.ts";

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

/** The last kept change of this worktree that was not undone; linked worktrees share a journal. */
export function findLastAcceptedRun(lines: readonly JournalLine[], worktree: string): AcceptedRecord | null {
  const changed = new Set<string>();
  const undone = new Set<string>();
  for (const { run_id, event } of lines) {
    if (event.type === "tick_started" && (event.worktree ?? worktree) !== worktree) undone.add(run_id);
    if (event.type === "judged" && event.blast_radius.files_touched > 0) changed.add(run_id);
    if (event.type === "undone") undone.add(run_id);
  }
  const line = lines.findLast(
    ({ run_id, event }) =>
      event.type === "settled" && event.action !== "rollback" && changed.has(run_id) && !undone.has(run_id),
  );
  return line === undefined ? null : withJudgedFacts(findTickRecord(lines, line.run_id));
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
