/**
 * `relais history prune`: removes the folders of old ticks.
 *
 * That a folder goes is in the journal before it goes, so that a later replay can tell room that was made from a folder
 * that somebody took away. The tick itself stays in the journal with everything that was decided about it.
 *
 * The state directory has a private folder for every tick, with the same logs and documents. It is made as small as the
 * tick's lines in the journal once the folder in the history is gone, or where none is kept: then nothing is left that
 * the originals could be compared with. Nothing is done at the end of a tick, because until then they are what
 * `relais history replay` finds the changed byte with, and a crash must find as little under way as possible.
 *
 * At last the content store is reduced to what salvage, undo and the saved observation refer to.
 */
import type { PrunedHistory, PruneFolder, PrunePlan } from "../records/decisions.ts";
import { join, relative } from "node:path";
import { isPruned } from "../tick/pure/tick-facts.ts";
import type { JournalLine } from "../records/event.ts";
import { describeError, unreachable } from "../base/errors.ts";
import { type PruneLimit, prunePlan, listHeldRuns, listSettledRuns, WEAK_REASONS } from "../journal/pure/prune-plan.ts";
import { findTickRecord, listTickRecords } from "../tick/pure/tick-records.ts";
import { locateStore, openContentStore } from "../store/content-store.ts";
import { readClockMs } from "../system/clock.ts";
import { listFolders } from "../system/list-folders.ts";
import { locateRunDirectory, thinRunDirectory, TICK_LINES } from "../journal/run-directory.ts";
import { openPublishedFolder } from "../journal/published-folder.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import { compactContent } from "../keep/compact-content.ts";
import { countHistoryBytes, listHistory } from "../workspace/history.ts";
import { publishLines } from "../workspace/publish.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import {
  appendEvent,
  type LockedWorkspace,
  type WorkspaceRequest,
  type WorkspaceSnapshot,
} from "../workspace/workspace.ts";

const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;

/** Null makes room below the cap. */
export type PruneWish = {
  readonly kind: "keep" | "older-than-days" | "to-mb";
  readonly number: number;
} | null;

export interface PruneRequest extends WorkspaceRequest {
  readonly wish: PruneWish;
  readonly isDryRun: boolean;
}

export function pruneHistory(request: PruneRequest): Promise<PrunedHistory | CommandFailure> {
  const { isDryRun, wish } = request;
  if (isDryRun) return withSnapshot(request, (workspace) => foreseePrune(workspace, wish));
  return withWorkspace(request, "decide", (workspace) => prune(workspace, wish));
}

async function foreseePrune(workspace: WorkspaceSnapshot, wish: PruneWish): Promise<PrunedHistory> {
  const { history, lines, stateDirectory, repository, config } = workspace;
  const place = { history, lines, stateDirectory, root: repository.root, maxMb: config.history.max_mb };
  const plan = await planPrune(place, wish);
  const bytesBefore = countHistoryBytes(history);
  const bytesAfter = bytesBefore - countRemovedBytes(plan);
  const privateBytes = countSpareBytes(await listThinnable(place, plan));
  const bytesMax = place.maxMb * MEGABYTE;
  return summarisePrune(plan, { bytesMax, bytesBefore, bytesAfter, privateBytes, isDryRun: true, problems: [] });
}

interface PruneSources {
  readonly history: string;
  readonly lines: readonly JournalLine[];
  readonly stateDirectory: string;
  readonly root: string;
  readonly maxMb: number;
}

async function planPrune(
  { history, lines, stateDirectory, root, maxMb }: PruneSources,
  wish: PruneWish,
): Promise<PrunePlan> {
  const salvage = new Set(await listFolders(join(stateDirectory, "salvage")));
  const { folders, unclear } = await listPrunable(history, lines);
  const held = new Map([...listHeldRuns({ lines, root, salvage }), ...unclear]);
  const plan = prunePlan(folders, chooseLimit(wish, maxMb), held);
  if (wish !== null || countHistoryBytes(history) - countRemovedBytes(plan) <= maxMb * MEGABYTE) return plan;
  const firm = [...held].filter(([, reason]) => !WEAK_REASONS.includes(reason));
  return prunePlan(folders, chooseLimit(wish, maxMb), new Map(firm));
}

function chooseLimit(wish: PruneWish, maxMb: number): PruneLimit {
  // Half of it, because a history that just fits is too large again after the next tick.
  if (wish === null) return { kind: "bytes", bytes: (maxMb * MEGABYTE) / 2 };
  switch (wish.kind) {
    case "keep":
      return { kind: "keep", ticks: wish.number };
    case "to-mb":
      return { kind: "bytes", bytes: wish.number * MEGABYTE };
    case "older-than-days":
      return { kind: "since", moment: new Date(readClockMs() - wish.number * DAY_MS).toISOString() };
    default:
      return unreachable(wish.kind);
  }
}

/** If the journal does not know a tick, only its folder can tell how it ended. */
async function listPrunable(history: string, lines: readonly JournalLine[]) {
  const started = new Map(listTickRecords(lines).map(({ runId, startedAt }) => [runId, startedAt]));
  const known = new Set(started.keys());
  const { runIds, entries } = await listHistory(history, { limit: Number.POSITIVE_INFINITY, known });
  const metas = new Map(entries.map(({ runId, meta }) => [runId, meta]));
  const folders: PruneFolder[] = [];
  const unclear = new Map<string, string>();
  for (const runId of runIds) {
    const meta = metas.get(runId) ?? null;
    if (!known.has(runId) && (meta === null || meta.code === null)) unclear.set(runId, "unknown end");
    const startedAt = started.get(runId) ?? meta?.started_at ?? "";
    folders.push({ runId, startedAt, bytes: countHistoryBytes(join(history, runId)) });
  }
  return { folders, unclear };
}

async function prune(workspace: LockedWorkspace, wish: PruneWish): Promise<PrunedHistory | Refusal> {
  const { repository, stateDirectory, config, journal } = workspace;
  const { root } = repository;
  const history = join(root, config.history.dir);
  const place = { history, lines: journal.lines(), stateDirectory, root, maxMb: config.history.max_mb };
  const plan = await planPrune(place, wish);
  const bytesBefore = countHistoryBytes(history);
  const thin = await listThinnable(place, plan);
  const privateBytes = countSpareBytes(thin);
  const bytesMax = place.maxMb * MEGABYTE;
  if (plan.removed.length === 0) {
    const problems = await thinAll(thin);
    const content = await compactUnused(workspace);
    return summarisePrune(plan, {
      bytesMax,
      bytesBefore,
      bytesAfter: bytesBefore,
      privateBytes: privateBytes + content.freed,
      isDryRun: false,
      problems: [...problems, ...content.problems],
    });
  }
  const opened = await openPublishedFolder(root, relative(root, history));
  if (opened.kind === "refused") {
    const message = `Cannot delete from ${opened.path}: ${opened.reason}.`;
    return refuse({ cause: "history_unusable", message, next: "Replace it with a folder." });
  }
  for (const { runId } of plan.removed) await recordPruned(journal, runId);
  const problems: string[] = [];
  for (const { runId } of plan.removed)
    await opened.folder.removeFolder(runId).catch((error: unknown) => {
      problems.push(`${config.history.dir}/${runId}: ${describeError(error)}`);
    });
  problems.push(...(await thinAll(thin)));
  problems.push(...(await publishLines(workspace)));
  const content = await compactUnused(workspace);
  return summarisePrune(plan, {
    bytesMax,
    bytesBefore,
    bytesAfter: countHistoryBytes(history),
    privateBytes: privateBytes + content.freed,
    isDryRun: false,
    problems: [...problems, ...content.problems],
  });
}

/** Last, because everything else can be done without git and on a full disk. */
async function compactUnused({ repository, stateDirectory }: LockedWorkspace) {
  try {
    const store = await openContentStore(stateDirectory, repository.environment);
    return { freed: await compactContent({ store, stateDirectory }), problems: [] };
  } catch (error) {
    return { freed: 0, problems: [`${locateStore(stateDirectory)}: ${describeError(error)}`] };
  }
}

async function listThinnable(
  { history, lines, stateDirectory, root }: PruneSources,
  { removed }: PrunePlan,
): Promise<readonly string[]> {
  const salvage = new Set(await listFolders(join(stateDirectory, "salvage")));
  const kept = new Set(await listFolders(history));
  for (const { runId } of removed) kept.delete(runId);
  const known = new Set(await listFolders(join(stateDirectory, "runs")));
  return listSettledRuns({ lines, root, salvage }, kept)
    .filter((runId) => known.has(runId))
    .map((runId) => locateRunDirectory(stateDirectory, runId));
}

function countSpareBytes(folders: readonly string[]): number {
  return folders.reduce((sum, folder) => sum + countHistoryBytes(folder, TICK_LINES), 0);
}

async function thinAll(folders: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const folder of folders)
    await thinRunDirectory(folder).catch((error: unknown) => {
      problems.push(`${folder}: ${describeError(error)}`);
    });
  return problems;
}

/** A tick outside the journal gets no line; an interrupted prune has recorded its lines already. */
async function recordPruned(journal: LockedWorkspace["journal"], runId: string): Promise<void> {
  const record = findTickRecord(journal.lines(), runId);
  if (record === null || isPruned(record.state)) return;
  await appendEvent(journal, record, { type: "pruned" });
}

function summarisePrune(plan: PrunePlan, rest: Omit<PrunedHistory, "kind" | keyof PrunePlan>): PrunedHistory {
  return { kind: "pruned", ...plan, ...rest };
}

function countRemovedBytes({ removed }: PrunePlan): number {
  return removed.reduce((sum, { bytes }) => sum + bytes, 0);
}
