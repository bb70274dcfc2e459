/**
 * The ticks whose history folder must stay, each with the reason.
 *
 * A folder holds the evidence for a decision. As long as the decision is open, because the tick is not over or a person
 * has not said what becomes of its work, nobody may lose what it rests on.
 */
import type { JournalLine } from "../../contract/journal/event.ts";
import { foldLines } from "../../contract/journal/folded-lines.ts";
import { findLastAcceptedRun } from "./journal-runs.ts";
import { findSettlement } from "../tick/settlement.ts";
import { findRollbackFailure, findSettled, findStart } from "../tick/tick-facts.ts";
import { type TickRecord, TickRecords, listTickRecords } from "../tick/tick-records.ts";
import { WorkspaceFold } from "./workspace-state.ts";

export interface Surrounding {
  readonly lines: readonly JournalLine[];
  /** The worktree that we are in; ticks of an old journal do not name theirs. */
  readonly root: string;
  /** What is kept in salvage, by its name. */
  readonly salvage: ReadonlySet<string>;
}

const IN_SALVAGE = "its work is in salvage";
const LAST = "it is the last tick";
/** Let go where the history would stay too large: `relais salvage` has the work itself, and the journal the tick. */
export const WEAK_REASONS: readonly string[] = [IN_SALVAGE, LAST];

export function listHeldRuns({ lines, root, salvage }: Surrounding): ReadonlyMap<string, string> {
  const folded = foldLines(lines);
  const records = folded.fold(TickRecords).all();
  const held = new Map<string, string>();
  for (const record of records) {
    const reason = ownReason(record, salvage);
    if (reason !== null) held.set(record.runId, reason);
  }
  const { question } = folded.fold(WorkspaceFold);
  if (question !== null) held.set(question.run_id, "its question is open");
  for (const runId of waitingRuns(records, lines, root)) held.set(runId, "its change waits to be committed");
  const last = records.at(-1);
  if (last !== undefined && !held.has(last.runId)) held.set(last.runId, LAST);
  return held;
}

function ownReason({ runId, endedAt, state }: TickRecord, salvage: ReadonlySet<string>): string | null {
  if (endedAt === null) return "it is not over";
  if (findRollbackFailure(state) !== null) return "it could not be put back yet";
  return salvage.has(findSettled(state)?.salvage ?? runId) ? IN_SALVAGE : null;
}

/** In each worktree, the change that was accepted last can still lie there uncommitted. */
function waitingRuns(records: readonly TickRecord[], lines: readonly JournalLine[], root: string): readonly string[] {
  const worktrees = new Set([root, ...records.map(({ state }) => findStart(state)?.worktree ?? root)]);
  return [...worktrees].flatMap((worktree) => {
    const record = findLastAcceptedRun(lines, worktree);
    return record === null || findSettlement(record.state).isCommitted ? [] : [record.runId];
  });
}

/** The ticks that are over and of which nobody needs more than the journal, given whose folders are in the history. */
export function listSettledRuns(surrounding: Surrounding, kept: ReadonlySet<string>): readonly string[] {
  const held = listHeldRuns(surrounding);
  return listTickRecords(surrounding.lines)
    .map(({ runId }) => runId)
    .filter((runId) => !held.has(runId) && !kept.has(runId));
}
