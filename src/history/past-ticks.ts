import { join } from "node:path";
import type { PastTick } from "../records/status-answers.ts";
import { foldEnd } from "../records/folded-lines.ts";
import type { Caller } from "../base/environment.ts";
import {
  findOutcome,
  findSettled,
  findStart,
  findTask,
  isPruned,
  isUndone,
  findSettlement,
} from "../tick/pure/tick-facts.ts";
import type { Meta } from "../records/meta.ts";
import { type AgentSessions, GivenBackFold } from "../journal/pure/given-back.ts";
import { findUnfinishedRun, RunsFold } from "../journal/pure/journal-runs.ts";
import { findOpenTurn } from "../tick/pure/tick-turn.ts";
import { listHistoryFiles, type TickRecord, listTickRecords } from "../tick/pure/tick-records.ts";
import { isFolder } from "../system/read-files.ts";
import { listHistory, recallHistory } from "../workspace/history.ts";
import { recallWorkspace } from "../workspace/journal-state.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { findHeldLock } from "../workspace/read-locks.ts";
import { locateJournalPlaces } from "../workspace/read-workspace.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";

/** At most so many folders of ticks outside the journal are opened. */
const STRANGERS_MAX = 200;

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
      return describeTick(record, repository.root, isKept, record.runId === running);
    }),
    ...entries.map(({ runId, meta }) => describeFolder(runId, meta)),
  ].toSorted(compareMoments);
}

export interface TickPage {
  /** The newest first. */
  readonly ticks: readonly PastTick[];
  readonly total: number;
  readonly agents: readonly AgentSessions[];
}

/** The newest ticks, from the summary of the journal; null where everything has to be read. */
export async function recallNewestTicks(caller: Caller): Promise<TickPage | null> {
  const places = await locateJournalPlaces(caller);
  if (places.kind === "blocked") return null;
  const { repository, config, stateDirectory } = places;
  const history = join(repository.root, config.history.dir);
  const summary = recallWorkspace(places);
  if (summary === null || recallHistory({ history, stateDirectory })?.isOwn !== true) return null;
  const journal = foldEnd({ ...summary, readAll: () => [], readSeries: () => [] });
  const { count, isInOrder } = journal.fold(RunsFold);
  if (!isInOrder) return null;
  const ticks = listTickRecords(journal.recent())
    .filter(({ events: [first] }) => first?.type === "tick_started")
    .map((record) => {
      const isKept = isFolder(join(history, record.runId));
      return describeTick(record, repository.root, isKept, false);
    });
  return { ticks: ticks.toSorted(compareMoments), total: count, agents: journal.fold(GivenBackFold).list() };
}

function describeTick(record: TickRecord, root: string, isKept: boolean, isRunning: boolean): PastTick {
  return { ...describeRecord(record), isRunning, isKept, isExpected: isKept || isExpected(record, root) };
}

function compareMoments(one: PastTick, other: PastTick): number {
  return readMoment(one) < readMoment(other) ? 1 : -1;
}

/** The locks are only read if a tick is not over. */
async function findRunningTick(around: WorkspaceSnapshot): Promise<string | null> {
  const open = findUnfinishedRun(around.lines);
  return open !== null && (await findHeldLock(around)).kind === "busy" ? open.runId : null;
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
