import { join, dirname } from "node:path";
import { type NotReady, type CommandFailure, refuse } from "../records/command-failure.ts";
import { makeDefaultConfig } from "../config/config.ts";
import type { Caller } from "../base/environment.ts";
import { MeasurementError, describeError } from "../base/errors.ts";
import { isFolder, readErrorCode } from "../system/read-files.ts";
import { syncNow } from "../system/sync-file.ts";
import { findRepository, type Repository, type RepositoryLayout } from "../git/repository-layout.ts";
import { type Journal, openJournal } from "../journal/journal.ts";
import { repairJournal, setJournalAside } from "../journal/repair-journal.ts";
import { surveyJournal } from "../journal/survey-journal.ts";
import { recallRepository } from "../journal/remembered-repository.ts";
import { openStateDirectory } from "../journal/state-directory.ts";
import { readConfigFile } from "./config-file.ts";
import {
  locateJournal,
  type JournalPaths,
  refuseUnusableJournal,
  explainLostTick,
  surveyWorkspace,
  requireRecovery,
  findIncompleteJournal,
  recallWorkspace,
  findUnfinishedTick,
} from "./journal-state.ts";
import { requireWorktree } from "./locate-repository.ts";
import { explainUnusableGit } from "./usable-git.ts";
import { refuseUnusableState } from "./workspace-refusals.ts";
import { lockPaths, readLocks } from "./read-locks.ts";
import { clearStaleLocks, takeLocks } from "./take-locks.ts";
import type { BrokenWorkspace, OpenedWorkspace, LockedWorkspace, Workspace, WritableRepository } from "./workspace.ts";
import { afterBoot } from "../system/redo-log.ts";
import { readClockMs } from "../system/clock.ts";
import { createRunId } from "../journal/run-directory.ts";
import { explainFailure, explainNoRecovery } from "./refusals.ts";
import { JournalFailure } from "./journal-failure.ts";
import { makeWorkspace, restorePublished } from "./make-workspace.ts";
import { openWritable } from "./open-writable.ts";
import { openSeriesWorkspace, openWorkspace } from "./open-workspace.ts";
import type { ProjectCaller } from "./read-project.ts";
import { refuseUnwritable } from "./repository-refusals.ts";
import { rememberJournal, rememberStatus } from "./remember-status.ts";

/** Opens a workspace with a tick to recover. relais remembers the repository, in case its git directory is gone. */

/** The journal has all lines that can be restored. */
export async function openBrokenWorkspace(
  request: Caller & { readonly abandon?: boolean },
  runId: string,
): Promise<OpenedWorkspace<BrokenWorkspace> | NotReady> {
  const { abandon = false } = request;
  const places = await findPlaces(request);
  if ("kind" in places) return places;
  const paths = lockPaths(places);
  const survey = await surveyWorkspace(places);
  if (survey.kind === "foreign") return refuseUnusableJournal(survey);
  if (survey.kind === "lost" && !abandon) return explainLostTick(survey.holder);
  // Before the locks are taken, because that removes their notes.
  const goneHolders = (await readLocks(paths)).flatMap((sighting) =>
    sighting.kind === "stale" && sighting.holder?.journal !== undefined ? [sighting.holder] : [],
  );
  const locks = await takeLocks([places.lockPath], runId);
  if (locks.kind === "blocked") return locks;
  try {
    const opened = await openRestored(places, abandon);
    if (opened.kind === "blocked") {
      await locks.release();
      return opened;
    }
    const { journal, restoredLines } = opened;
    const { repository, config, stateDirectory } = places;
    const folder = join(repository.root, config.workspace_dir);
    const clear = () => clearStaleLocks(paths, runId);
    const shared = { repository, config, folder, stateDirectory, journal, restoredLines, goneHolders };
    return { kind: "open", workspace: { ...shared, clearStaleLocks: clear }, locks, journal };
  } catch (error) {
    await locks.release();
    throw error;
  }
}

async function findPlaces(caller: Caller): Promise<JournalPaths | NotReady> {
  const { cwd, environment } = caller;
  const repository = requireWorktree(await findLayout(caller, await recallRepository(cwd, environment)));
  if (repository.kind === "blocked") return repository;
  if (!isFolder(repository.root)) return refuseRootGone(repository.root);
  const state = openStateDirectory(repository, environment);
  if (state.kind === "unusable") return refuseUnusableState(state);
  const unusable = await explainUnusableGit(repository.root, environment);
  if (unusable !== null) return unusable;
  const file = await readConfigFile(repository.root);
  const config = file.kind === "config" ? file.config : makeDefaultConfig();
  return { repository, config, stateDirectory: state.path, lockPath: state.lockPath };
}

/** The remembered repository counts if the found one is another: its git directory is damaged. */
async function findLayout({ cwd, environment }: Caller, remembered: Repository | null): Promise<RepositoryLayout> {
  try {
    const found = await findRepository(cwd, environment);
    if (remembered === null || (found.kind === "repository" && found.root === remembered.root)) return found;
    return remembered;
  } catch (error) {
    if (remembered !== null && error instanceof MeasurementError) return remembered;
    throw error;
  }
}

function refuseRootGone(root: string): NotReady {
  const message = `The repository was at ${root}; that folder does not exist any more.`;
  const remedy = `If it was moved, move it back. Otherwise create an empty folder there and run \`relais recover --cwd ${root}\`.`;
  return requireRecovery("root_gone", message, remedy);
}

interface RestoredJournal {
  readonly kind: "restored";
  readonly journal: Journal;
  readonly restoredLines: number;
}

async function openRestored(places: JournalPaths, abandon: boolean): Promise<RestoredJournal | NotReady> {
  const { path, ledger } = locateJournal(places);
  const survey = await surveyJournal({ stateDirectory: places.stateDirectory, ledger, lockPaths: [] });
  if (survey.kind === "foreign" || (survey.kind === "corrupt" && !abandon)) return refuseUnusableJournal(survey);
  const restoredLines = survey.kind === "short" ? survey.missing.length : 0;
  if (survey.kind === "short") await repairJournal(path, survey);
  const damaged = survey.kind === "corrupt" ? survey.path : null;
  if (damaged === path) await setJournalAside(path);
  const opened = await openJournal({ path, ledger: damaged === ledger ? null : ledger });
  if (opened.kind !== "open") return refuseUnusableJournal(opened);
  syncLines(opened.journal);
  return { kind: "restored", journal: opened.journal, restoredLines };
}

/** Recovery acts on these lines. Their writer may have been killed before it synced them. */
function syncLines({ path, end }: Journal): void {
  if (end().seq > 0) syncNow(path);
}

/**
 * The one way into a workspace that is written to; `withSnapshot` is the one for reading.
 *
 * It finds the repository, reads the configuration, takes the locks and opens the journal, as far as the mode asks for
 * it, and releases everything when the work is over. A workspace that cannot be opened is an answer, and nothing was
 * written then.
 */

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
