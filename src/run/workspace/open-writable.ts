import { dirname } from "node:path";
import type { NotReady } from "../../contract/answers/command-failure.ts";
import { defaultConfig } from "../../contract/config/config.ts";
import type { Caller } from "../../contract/values/environment.ts";
import { foldedLines } from "../../contract/journal/folded-lines.ts";
import { isFolder } from "../../io/files/is-folder.ts";
import { surveyJournal } from "../../io/journal/survey-journal.ts";
import { openStateDirectory } from "../../io/workspace/state-directory.ts";
import { workspaceProblem } from "../../io/workspace/workspace-folder.ts";
import { readConfigFile } from "./config-file.ts";
import {
  incompleteJournal,
  journalPaths,
  type JournalPlaces,
  journalUnusable,
  unfinishedTick,
} from "./journal-state.ts";
import { locateRepository } from "./locate-repository.ts";
import { lockPaths } from "./look-at-locks.ts";
import { stateUnusable } from "./open-workspace.ts";
import { takeLocks } from "./take-locks.ts";
import type { OpenedWorkspace, WritableRepository } from "./workspace.ts";

/**
 * Takes the locks of a repository in which files are to be made. It need not be set up yet.
 *
 * A tick that was cut short comes first: its recovery would remove whatever is written now.
 */
export async function openWritable(
  caller: Caller,
  runId: string,
): Promise<OpenedWorkspace<WritableRepository> | NotReady> {
  const repository = await locateRepository(caller, { needsGit: false });
  if (repository.kind === "blocked") return repository;
  const configFile = await readConfigFile(repository.root);
  const config = configFile.kind === "config" ? configFile.config : defaultConfig();
  const state = openStateDirectory(repository, caller.environment);
  if (state.kind === "unusable") return stateUnusable(state);
  const places = { repository, config, stateDirectory: state.path, lockPath: state.lockPath };
  const incomplete = await incompleteJournal(places);
  if (incomplete !== null) return incomplete;
  // A workspace that is missing, or something else in its place, can hold no lock.
  const hasWorkspace = workspaceProblem(repository.root, config.workspace_dir) === null;
  const paths = lockPaths(places).filter((path) => path === state.lockPath || hasWorkspace);
  const locks = await takeLocks(
    paths.filter((path) => isFolder(dirname(path))),
    runId,
  );
  if (locks.kind === "blocked") return locks;
  try {
    const refusal = await unfinishedHere(places, runId);
    if (refusal === null)
      return { kind: "open", workspace: { repository, configFile }, locks, journal: null };
    await locks.release();
    return refusal;
  } catch (error) {
    await locks.release();
    throw error;
  }
}

async function unfinishedHere(places: JournalPlaces, runId: string): Promise<NotReady | null> {
  const { ledger } = journalPaths(places);
  const survey = await surveyJournal({ stateDirectory: places.stateDirectory, ledger, lockPaths: [] });
  return "lines" in survey ? unfinishedTick(foldedLines(survey.lines), runId) : journalUnusable(survey);
}
