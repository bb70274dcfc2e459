/** Single ticks that the whole journal points at. */
import type { JournalLine } from "../../contract/journal/event.ts";
import { findJudged, findRollbackFailure } from "../tick/tick-facts.ts";
import { findTickRecord, type TickRecord } from "../tick/tick-records.ts";
import type { JudgedFacts } from "../tick/tick-state.ts";

/** A tick whose change was kept, with everything that was known when it was judged. */
export interface AcceptedRecord extends TickRecord {
  readonly facts: JudgedFacts;
}

/** The tick that has no end: it is running, or it was cut short. The oldest, should there be several. */
export function findUnfinishedRun(lines: readonly JournalLine[]): TickRecord | null {
  const open = new Set<string>();
  const ended = new Set<string>();
  for (const { run_id, event } of lines) {
    if (event.type === "tick_ended") ended.add(run_id);
    // What a person decides about a tick that is over does not begin it again.
    if (ended.has(run_id)) open.delete(run_id);
    else open.add(run_id);
  }
  const [runId] = open;
  return runId === undefined ? null : findTickRecord(lines, runId);
}

/** The tick whose rollback failed and was neither brought to its end nor given up, however many were refused since. */
export function findNotPutBackRun(records: readonly TickRecord[]): TickRecord | null {
  return records.find(({ state }) => findRollbackFailure(state) !== null) ?? null;
}

/** The tick of this worktree whose change was kept last and not taken back since; linked worktrees share a journal. */
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
  return line === undefined ? null : acceptedRecord(findTickRecord(lines, line.run_id));
}

function acceptedRecord(record: TickRecord | null): AcceptedRecord | null {
  const facts = record && findJudged(record.state);
  return record && facts && { ...record, facts };
}
