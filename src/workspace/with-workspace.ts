import { dirname, join } from "node:path";
import { type CommandFailure, type NotReady, refuse } from "../records/command-failure.ts";
import { readClockMs } from "../system/clock.ts";
import { acquireLock, type LockResult } from "../journal/acquire-lock.ts";
import { lockPaths, lockUnavailable, readLocks } from "./read-locks.ts";
import type { DamagedLock } from "../records/recovery.ts";
import type {
  BrokenWorkspace,
  LockedWorkspace,
  NoteInLocks,
  OpenedWorkspace,
  Workspace,
  WritableRepository,
} from "./workspace.ts";
import { makeDefaultConfig } from "../config/config.ts";
import type { Caller } from "../base/environment.ts";
import { foldLines } from "../records/folded-lines.ts";
import { isFolder, readErrorCode } from "../system/read-files.ts";
import { surveyJournal } from "../journal/survey-journal.ts";
import { findStateDirectory, openStateDirectory } from "../journal/state-directory.ts";
import { findWorkspaceProblem } from "../journal/workspace-folder.ts";
import { readConfigFile } from "./config-file.ts";
import {
  explainLostTick,
  findIncompleteJournal,
  findUnfinishedTick,
  type JournalPaths,
  locateJournal,
  recallWorkspace,
  refuseUnusableJournal,
  requireRecovery,
  surveyWorkspace,
} from "./journal-state.ts";
import { locateRepository, requireWorktree } from "./locate-repository.ts";
import { findReplacedWorkspace, refuseUnusableState } from "./workspace-refusals.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { syncNow } from "../system/sync-file.ts";
import { findRepository, type Repository, type RepositoryLayout } from "../git/repository-layout.ts";
import { type Journal, openJournal } from "../journal/journal.ts";
import { repairJournal, setJournalAside } from "../journal/repair-journal.ts";
import { recallRepository } from "../journal/remembered-repository.ts";
import { explainUnusableGit } from "./usable-git.ts";
import { afterBoot } from "../system/redo-log.ts";
import { createRunId } from "../journal/run-directory.ts";
import { explainFailure, explainNoRecovery } from "./refusals.ts";
import { JournalFailure } from "./journal-failure.ts";
import { makeWorkspace, restorePublished } from "./make-workspace.ts";
import { openSeriesWorkspace, openWorkspace } from "./open-workspace.ts";
import type { ProjectCaller } from "./read-project.ts";
import { refuseUnwritable } from "./repository-refusals.ts";
import { rememberJournal, rememberStatus } from "./remember-status.ts";

type HeldLocks = { readonly kind: "held"; readonly note: NoteInLocks; readonly release: () => Promise<void> };

/** Takes all locks in this order, or none. */
async function takeLocks(paths: readonly string[], runId: string): Promise<HeldLocks | NotReady> {
  const held: Extract<LockResult, { kind: "held" }>[] = [];
  // A lock that cannot be removed is stale as soon as we exit; it must not hide the result.
  const release = async (): Promise<void> => {
    for (const lock of held.toReversed()) await lock.release().catch(() => undefined);
  };
  try {
    for (const path of paths) {
      const lock = await acquireLock(path, runId, () => new Date(readClockMs()).toISOString());
      if (lock.kind !== "held") {
        await release();
        return lockUnavailable(lock);
      }
      held.push(lock);
    }
  } catch (error) {
    await release();
    throw error;
  }
  const note: NoteInLocks = async (text) => {
    for (const lock of held) await lock.note(text);
  };
  return { kind: "held", note, release };
}

async function clearStaleLocks(paths: readonly string[], runId: string): Promise<DamagedLock | null> {
  for (const path of paths) {
    const [sighting] = await readLocks([path]);
    if (sighting?.kind === "corrupt") return { path, reason: sighting.reason };
    if (sighting?.kind !== "stale") continue;
    const taken = await takeLocks([path], runId);
    if (taken.kind === "held") await taken.release();
  }
  return null;
}

/**
 * Takes the locks of a repository to create files in it. It need not be set up yet.
 *
 * An interrupted tick is refused: its recovery would remove the new files.
 */
async function openWritable(caller: Caller, runId: string): Promise<OpenedWorkspace<WritableRepository> | NotReady> {
  const repository = await locateRepository(caller, { needsGit: false });
  if (repository.kind === "blocked") return repository;
  const configFile = await readConfigFile(repository.root);
  const config = configFile.kind === "config" ? configFile.config : makeDefaultConfig();
  const places = findOwnPlaces({ repository, config }, caller);
  const incomplete = places === null ? null : await findIncompleteJournal(places);
  if (incomplete !== null) return incomplete;
  const locks = await takeLocks(listExistingLocks({ repository, config }, places), runId);
  if (locks.kind === "blocked") return locks;
  try {
    const refusal = places === null ? null : await findUnfinishedHere(places, runId);
    if (refusal === null) return { kind: "open", workspace: { repository, configFile }, locks, journal: null };
    await locks.release();
    return refusal;
  } catch (error) {
    await locks.release();
    throw error;
  }
}

type ConfiguredRepository = Pick<JournalPaths, "repository" | "config">;

/** Null where the state directory or the workspace cannot be used: then no tick can have run here. */
function findOwnPlaces(project: ConfiguredRepository, { environment }: Caller): JournalPaths | null {
  const { repository, config } = project;
  if (findReplacedWorkspace(repository.root, config) !== null) return null;
  const state = findStateDirectory(repository, environment);
  return state.kind === "unusable" ? null : { ...project, stateDirectory: state.path, lockPath: state.lockPath };
}

/** Only locks whose folder exists. */
function listExistingLocks(
  { repository, config }: ConfiguredRepository,
  places: JournalPaths | null,
): readonly string[] {
  const { root } = repository;
  const hasWorkspace = findWorkspaceProblem(root, config.workspace_dir) === null;
  const paths = [
    ...(places === null ? [] : [places.lockPath]),
    ...(hasWorkspace ? [join(root, config.runner.lockfile)] : []),
  ];
  return paths.filter((path) => isFolder(dirname(path)));
}

async function findUnfinishedHere(places: JournalPaths, runId: string): Promise<NotReady | null> {
  const { ledger } = locateJournal(places);
  const survey = await surveyJournal({ stateDirectory: places.stateDirectory, ledger, lockPaths: [] });
  return "lines" in survey ? findUnfinishedTick(foldLines(survey.lines), runId) : refuseUnusableJournal(survey);
}

/** Opens a workspace with a tick to recover. relais remembers the repository, in case its git directory is gone. */

/** The journal has all lines that can be restored. */
async function openBrokenWorkspace(
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
