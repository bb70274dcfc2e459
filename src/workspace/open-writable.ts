import { dirname, join } from "node:path";
import type { NotReady } from "../records/command-failure.ts";
import { makeDefaultConfig } from "../config/config.ts";
import type { Caller } from "../base/environment.ts";
import { foldLines } from "../records/folded-lines.ts";
import { isFolder } from "../system/read-files.ts";
import { surveyJournal } from "../journal/survey-journal.ts";
import { findStateDirectory } from "../journal/state-directory.ts";
import { findWorkspaceProblem } from "../journal/workspace-folder.ts";
import { readConfigFile } from "./config-file.ts";
import {
  findIncompleteJournal,
  locateJournal,
  type JournalPaths,
  refuseUnusableJournal,
  findUnfinishedTick,
} from "./journal-state.ts";
import { locateRepository } from "./locate-repository.ts";
import { findReplacedWorkspace } from "./workspace-refusals.ts";
import { takeLocks } from "./take-locks.ts";
import type { OpenedWorkspace, WritableRepository } from "./workspace.ts";

/**
 * Takes the locks of a repository to create files in it. It need not be set up yet.
 *
 * An interrupted tick is refused: its recovery would remove the new files.
 */
export async function openWritable(
  caller: Caller,
  runId: string,
): Promise<OpenedWorkspace<WritableRepository> | NotReady> {
  const repository = await locateRepository(caller, { needsGit: false });
  if (repository.kind === "blocked") return repository;
  const configFile = await readConfigFile(repository.root);
  const config = configFile.kind === "config" ? configFile.config : makeDefaultConfig();
  const places = findPlaces({ repository, config }, caller);
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
function findPlaces(project: ConfiguredRepository, { environment }: Caller): JournalPaths | null {
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
