/**
 * The one way into a workspace that is written to; `withSnapshot` is the one for reading.
 *
 * It finds the repository, reads the configuration, takes the locks and opens the journal, as far as the mode asks for
 * it, and releases everything when the work is over. A workspace that cannot be opened is an answer, and nothing was
 * written then.
 */
import { dirname } from "node:path";
import { type CommandFailure, type NotReady, refuse } from "../records/command-failure.ts";
import { describeError } from "../base/describe-error.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { readErrorCode } from "../system/error-code.ts";
import { isFolder } from "../system/is-folder.ts";
import { afterBoot } from "../system/redo-log.ts";
import { openJournal } from "../journal/journal.ts";
import { readClockMs } from "../system/clock.ts";
import { createRunId } from "../journal/run-directory.ts";
import { explainFailure, explainNoRecovery } from "./explain-failure.ts";
import { JournalFailure } from "./journal-failure.ts";
import {
  findIncompleteJournal,
  locateJournal,
  recallWorkspace,
  refuseUnusableJournal,
  findUnfinishedTick,
} from "./journal-state.ts";
import { openBrokenWorkspace } from "./open-broken-workspace.ts";
import { makeWorkspace } from "./make-workspace.ts";
import { openWritable } from "./open-writable.ts";
import { openSeriesWorkspace, openWorkspace } from "./open-workspace.ts";
import type { ProjectCaller } from "./read-project.ts";
import { lockPaths } from "./look-at-locks.ts";
import { restorePublished } from "./restore-published.ts";
import { refuseUnwritable } from "./repository-refusals.ts";
import { rememberJournal } from "./remember-journal.ts";
import { rememberStatus } from "./remember-status.ts";
import { takeLocks } from "./take-locks.ts";
import type { BrokenWorkspace, LockedWorkspace, OpenedWorkspace, Workspace, WritableRepository } from "./workspace.ts";

/** The workspace of each mode. */
interface Workspaces {
  /** Creates files; the repository need not be set up yet. */
  readonly write: WritableRepository;
  /** A decision between two ticks. An interrupted tick must be recovered first. */
  readonly decide: LockedWorkspace;
  readonly tick: LockedWorkspace;
  /** Many ticks, each committed. */
  readonly series: LockedWorkspace;
  readonly recover: BrokenWorkspace;
}

type WorkspaceMode = keyof Workspaces;

interface OpenRequest extends ProjectCaller {
  readonly signal?: AbortSignal;
  /** Whether the workspace folder stays missing: nothing is to be written. */
  readonly isDryRun?: boolean;
  /** Whether to abandon what cannot be rolled back. */
  readonly abandon?: boolean;
}

type Open<W> = (request: OpenRequest, runId: string) => Promise<OpenedWorkspace<W> | NotReady>;

const OPEN: { readonly [M in WorkspaceMode]: Open<Workspaces[M]> } = {
  write: openWritable,
  decide: async (request, runId) => {
    const opened = await openLocked(await openWorkspace(request), runId);
    if (opened.kind === "blocked") return opened;
    const { journal, repository, config } = opened.workspace;
    const obstacle = findUnfinishedTick(journal, runId) ?? findUnwritable(repository, config);
    if (obstacle === null) return opened;
    await close(opened);
    return obstacle;
  },
  tick: async (request, runId) => {
    const opened = await openWorkspace(request);
    return openLocked(request.isDryRun === true ? opened : await withFolder(opened), runId);
  },
  series: async (request, runId) => openLocked(await withFolder(await openSeriesWorkspace(request)), runId),
  recover: openBrokenWorkspace,
};

export async function withWorkspace<M extends WorkspaceMode, T>(
  request: OpenRequest,
  mode: M,
  work: (workspace: Workspaces[M]) => T | Promise<T>,
): Promise<T | CommandFailure> {
  let isOpen = false;
  try {
    const opened = await OPEN[mode](request, createRunId(readClockMs()));
    if (opened.kind === "blocked") return opened;
    isOpen = true;
    let keepsLocks = false;
    try {
      return await work(opened.workspace);
    } catch (error) {
      // Without the journal, only the locks show what happened, so they stay, as after a crash.
      keepsLocks = error instanceof JournalFailure;
      throw error;
    } finally {
      await close(keepsLocks ? { ...opened, locks: null } : opened);
    }
  } catch (error) {
    const isStopped = request.signal?.aborted === true && mode !== "tick";
    const failure = explainError(mode, error, { isOpen, isStopped });
    if (failure === null) throw error;
    return failure;
  }
}

/** Before the locks, because one of them lies in it. */
async function withFolder(opened: Workspace | NotReady): Promise<Workspace | NotReady> {
  if (opened.kind === "ready") await makeWorkspace(opened);
  return opened;
}

async function openLocked(
  workspace: Workspace | NotReady,
  runId: string,
): Promise<OpenedWorkspace<LockedWorkspace> | NotReady> {
  if (workspace.kind === "blocked") return workspace;
  const summary = recallWorkspace(workspace);
  const incomplete = summary === null ? await findIncompleteJournal(workspace) : null;
  if (incomplete !== null) return incomplete;
  const paths = lockPaths(workspace).filter((path) => isFolder(dirname(path)));
  const locks = await takeLocks(paths, runId);
  if (locks.kind === "blocked") return locks;
  try {
    const opened = await openJournal(locateJournal(workspace), summary);
    if (opened.kind === "open") {
      const { journal } = opened;
      const locked = { ...workspace, journal, runId, noteInLocks: locks.note };
      await afterBoot(workspace.stateDirectory, () => restorePublished(locked));
      const { seq } = journal.end();
      const remember = () => {
        if (journal.end().seq === seq) return;
        rememberStatus(locked);
        rememberJournal(journal);
      };
      return { kind: "open", workspace: locked, locks, journal, remember };
    }
    await locks.release();
    return refuseUnusableJournal(opened);
  } catch (error) {
    await locks.release();
    throw error;
  }
}

type Opened = Pick<OpenedWorkspace<unknown>, "journal" | "locks" | "remember">;

async function close({ journal, locks, remember }: Opened): Promise<void> {
  try {
    await journal?.close();
    if (locks !== null) remember?.();
  } finally {
    await locks?.release();
  }
}

/** Before a decision, which must not fail halfway. */
function findUnwritable(...place: Parameters<typeof refuseUnwritable>): NotReady | null {
  const found = refuseUnwritable(...place);
  return found === null ? null : { kind: "blocked", problems: [], ...found };
}

/** No bug of relais, wherever they come from. */
const OF_DISK: ReadonlySet<string | null> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO"]);

/** Null for a bug, which is thrown. */
function explainError(
  mode: WorkspaceMode,
  error: unknown,
  { isOpen, isStopped }: { readonly isOpen: boolean; readonly isStopped: boolean },
): CommandFailure | null {
  const isMeasurement = error instanceof MeasurementError;
  if (!isMeasurement && readErrorCode(error) === null) return null;
  if (mode === "decide" && isOpen) {
    const next = "Fix that and try again.";
    if (!isMeasurement && !OF_DISK.has(readErrorCode(error))) return null;
    return refuse({ cause: "measurement_failed", message: describeError(error), next });
  }
  // A signal ends a measurement; a broken disk is no answer to it.
  if (isStopped && isMeasurement) return null;
  return mode === "recover" ? explainNoRecovery(error) : explainFailure(error);
}
