import type { PastTick } from "../../contract/answers/past-tick.ts";
import { join } from "node:path";
import type { ReplayedTick } from "../../contract/answers/replayed-tick.ts";
import {
  findOutcome,
  findSettled,
  findStart,
  findTask,
  isPruned,
  isUndone,
  findSettlement,
} from "../../core/tick/tick-facts.ts";
import type { Meta } from "../../contract/documents/meta.ts";
import { findUnfinishedRun } from "../../core/history/journal-runs.ts";
import { findOpenTurn } from "../../core/tick/tick-turn.ts";
import { type TickRecord, listTickRecords } from "../../core/tick/tick-records.ts";
import { readBounded } from "../../io/files/bounded-file.ts";
import { findLedgerDifference } from "../../io/journal/ledger-difference.ts";
import { locateRunDirectory } from "../../io/workspace/run-directory.ts";
import { listHistory } from "../workspace/history.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { lookAtLocks } from "../workspace/look-at-locks.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { listHistoryFiles, replayRun } from "./replay-run.ts";

/** At most so many folders of ticks outside the journal are opened. */
const STRANGERS_MAX = 200;
const PATCH_BYTES_MAX = 512 * 1024 * 1024;

export async function listPastTicks(around: WorkspaceSnapshot): Promise<readonly PastTick[]> {
  const { lines, history, repository } = around;
  const records = listTickRecords(listRepositoryLines(lines, repository));
  const running = await findRunningTick(around);
  const known = new Set(records.map(({ runId }) => runId));
  const { runIds, entries } = await listHistory(history, { limit: STRANGERS_MAX, known });
  const folders = new Set(runIds);
  return [
    ...records.map((record) => {
      const isKept = folders.has(record.runId);
      const isRunning = record.runId === running;
      return {
        ...describeRecord(record),
        isRunning,
        isKept,
        isExpected: isKept || isExpected(record, repository.root),
      };
    }),
    ...entries.map(({ runId, meta }) => describeFolder(runId, meta)),
  ].toSorted((one, other) => (readMoment(one) < readMoment(other) ? 1 : -1));
}

/** The locks are only read if a tick is not over. */
async function findRunningTick(around: WorkspaceSnapshot): Promise<string | null> {
  const open = findUnfinishedRun(around.lines);
  return open !== null && (await lookAtLocks(around)).kind === "busy" ? open.runId : null;
}

/** A tick without a time comes last. */
function readMoment({ startedAt }: PastTick): string {
  return startedAt ?? "";
}

/** Linked worktrees share a journal but not the history. */
function isExpected(record: TickRecord, root: string): boolean {
  const { state } = record;
  return !isPruned(state) && findStart(state)?.worktree === root && (listHistoryFiles(record) ?? []).length > 0;
}

function describeRecord(record: TickRecord): Omit<PastTick, "isRunning" | "isKept" | "isExpected"> {
  const { runId, startedAt, endedAt, state } = record;
  const { commit, branch } = findSettlement(state);
  return {
    runId,
    startedAt,
    endedAt,
    code: endedAt === null ? null : (findOutcome(state)?.code ?? null),
    turn: endedAt === null ? null : findOpenTurn(state),
    intent: findTask(state)?.intent ?? null,
    action: findSettled(state)?.action ?? null,
    commit,
    branch,
    isAccepted: state.phase === "done" && state.accepted !== null,
    isUndone: isUndone(state),
    isPruned: isPruned(state),
  };
}

function describeFolder(runId: string, meta: Meta | null): PastTick {
  return {
    runId,
    startedAt: meta?.started_at ?? null,
    endedAt: meta?.ended_at ?? null,
    code: meta?.code ?? null,
    intent: null,
    action: null,
    commit: null,
    branch: null,
    isAccepted: false,
    isUndone: false,
    isRunning: false,
    isPruned: false,
    isKept: true,
    isExpected: true,
  };
}

export type PatchFound =
  | { readonly kind: "patch"; readonly patch: Buffer }
  /** Nothing changed, or the patch was not kept. */
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly path: string; readonly reason: string };

export async function readTickPatch(
  { stateDirectory, history }: WorkspaceSnapshot,
  runId: string,
): Promise<PatchFound> {
  for (const folder of [locateRunDirectory(stateDirectory, runId), join(history, runId)]) {
    const path = join(folder, "diff.patch");
    const read = await readBounded(path, PATCH_BYTES_MAX);
    if (read.kind === "read") return { kind: "patch", patch: read.data };
    if (read.kind === "refused") return { kind: "refused", path, reason: read.reason };
  }
  return { kind: "none" };
}

export function replayTick(
  { stateDirectory, history, lines }: WorkspaceSnapshot,
  runId: string,
): Promise<ReplayedTick> {
  return replayRun({
    folder: join(history, runId),
    lines: lines.length === 0 ? null : lines,
    original: locateRunDirectory(stateDirectory, runId),
  });
}

/** The first line of the ledger that differs from the journal. */
export function findEditedLedgerLine(snapshot: WorkspaceSnapshot): Promise<number | null> {
  const { stateDirectory, repository, config } = snapshot;
  return findLedgerDifference(
    join(stateDirectory, "journal.jsonl"),
    join(repository.root, config.workspace_dir, "ledger.jsonl"),
  );
}
