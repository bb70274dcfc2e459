import type { PruneFolder, PrunePlan } from "../../records/decisions.ts";
import { unreachable } from "../../base/errors.ts";
import type { JournalLine } from "../../records/event.ts";
import { foldLines } from "../../records/folded-lines.ts";
import { HeldFold } from "./held-work.ts";
import { findLastAcceptedRun } from "./journal-runs.ts";
import { findRollbackFailure, findSettled, findStart, findSettlement } from "../../tick/pure/tick-facts.ts";
import { type TickRecord, TickRecords, listTickRecords } from "../../tick/pure/tick-records.ts";
import { WorkspaceFold } from "./workspace-state.ts";

export type PruneLimit =
  | { readonly kind: "keep"; readonly ticks: number }
  | { readonly kind: "since"; readonly moment: string }
  | { readonly kind: "bytes"; readonly bytes: number };

/** The oldest first; a held folder stays, whatever the limit says. */
export function prunePlan(
  folders: readonly PruneFolder[],
  limit: PruneLimit,
  held: ReadonlyMap<string, string>,
): PrunePlan {
  const oldestFirst = folders.toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1));
  const removed: PruneFolder[] = [];
  const spared: { readonly runId: string; readonly reason: string }[] = [];
  let bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0);
  for (const [index, folder] of oldestFirst.entries()) {
    if (!isBeyond(limit, folder, oldestFirst.length - index - 1, bytes)) continue;
    const reason = held.get(folder.runId);
    if (reason !== undefined) spared.push({ runId: folder.runId, reason });
    else {
      removed.push(folder);
      bytes -= folder.bytes;
    }
  }
  return { removed, held: spared };
}

function isBeyond(
  limit: PruneLimit,
  folder: PruneFolder,
  newer: number /** The size of the history while this folder stays. */,
  bytes: number,
): boolean {
  switch (limit.kind) {
    case "keep":
      return newer >= limit.ticks;
    case "since":
      return folder.startedAt < limit.moment;
    case "bytes":
      return bytes > limit.bytes;
    default:
      return unreachable(limit);
  }
}

/** A folder holds the evidence of a decision, so it must stay while the decision is open. */
interface HoldingFacts {
  readonly lines: readonly JournalLine[];
  /** The current worktree. */
  readonly root: string;
  readonly salvage: ReadonlySet<string>;
}

const IN_SALVAGE = "its work is in salvage";
const LAST = "it is the last tick";
/** Let go where the history would stay too large: `relais salvage` has the work itself, and the journal the tick. */
export const WEAK_REASONS: readonly string[] = [IN_SALVAGE, LAST];

export function listHeldRuns({ lines, root, salvage }: HoldingFacts): ReadonlyMap<string, string> {
  const folded = foldLines(lines);
  const records = folded.fold(TickRecords).all();
  const held = new Map<string, string>();
  for (const record of records) {
    const reason = findOwnReason(record, salvage);
    if (reason !== null) held.set(record.runId, reason);
  }
  const { question } = folded.fold(WorkspaceFold);
  if (question !== null) held.set(question.run_id, "its question is open");
  for (const runId of listWaitingRuns(records, lines, root)) held.set(runId, "its change waits to be committed");
  for (const { runId } of folded.fold(HeldFold).list()) held.set(runId, "it is held and waits for you");
  const last = records.at(-1);
  if (last !== undefined && !held.has(last.runId)) held.set(last.runId, LAST);
  return held;
}

function findOwnReason({ runId, endedAt, state }: TickRecord, salvage: ReadonlySet<string>): string | null {
  if (endedAt === null) return "it is not over";
  if (findRollbackFailure(state) !== null) return "its rollback failed";
  return salvage.has(findSettled(state)?.salvage ?? runId) ? IN_SALVAGE : null;
}

/** In each worktree, the last accepted change may still be uncommitted. */
function listWaitingRuns(
  records: readonly TickRecord[],
  lines: readonly JournalLine[],
  root: string,
): readonly string[] {
  const worktrees = new Set([root, ...records.flatMap(({ state }) => findStart(state)?.worktree ?? [])]);
  return [...worktrees].flatMap((worktree) => {
    const record = findLastAcceptedRun(lines, worktree);
    return record === null || findSettlement(record.state).isCommitted ? [] : [record.runId];
  });
}

/** Ticks without a history folder of which only the journal is still needed. */
export function listSettledRuns(surrounding: HoldingFacts, kept: ReadonlySet<string>): readonly string[] {
  const held = listHeldRuns(surrounding);
  return listTickRecords(surrounding.lines)
    .map(({ runId }) => runId)
    .filter((runId) => !held.has(runId) && !kept.has(runId));
}
