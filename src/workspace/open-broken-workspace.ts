/** Opens a workspace with a tick to recover. relais remembers the repository, in case its git directory is gone. */
import { join } from "node:path";
import type { NotReady } from "../records/command-failure.ts";
import { makeDefaultConfig } from "../config/config.ts";
import type { Caller } from "../base/environment.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { isFolder } from "../system/is-folder.ts";
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
} from "./journal-state.ts";
import { requireWorktree } from "./locate-repository.ts";
import { explainUnusableGit } from "./usable-git.ts";
import { refuseUnusableState } from "./workspace-refusals.ts";
import { lockPaths, sightLocks } from "./look-at-locks.ts";
import { clearStaleLocks, takeLocks } from "./take-locks.ts";
import type { BrokenWorkspace, OpenedWorkspace } from "./workspace.ts";

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
  const goneHolders = (await sightLocks(paths)).flatMap((sighting) =>
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
