import { join } from "node:path";
import type { NotReady } from "../../contract/answers/command-failure.ts";
import { makeDefaultConfig } from "../../contract/config/config.ts";
import type { Caller } from "../../contract/values/environment.ts";
import { findStateDirectory } from "../../io/workspace/state-directory.ts";
import { readConfigFile } from "./config-file.ts";
import { refuseUnusableJournal, surveyWorkspace } from "./journal-state.ts";
import { locateRepository } from "./locate-repository.ts";
import { refuseUnusableState } from "./workspace-refusals.ts";
import type { WorkspaceSnapshot } from "./workspace.ts";

/** Without a lock. Fails only without a repository or with a damaged journal. */
export async function readWorkspace(caller: Caller): Promise<WorkspaceSnapshot | NotReady> {
  const repository = await locateRepository(caller, { needsGit: false });
  if (repository.kind === "blocked") return repository;
  const state = findStateDirectory(repository, caller.environment);
  if (state.kind === "unusable") return refuseUnusableState(state);
  const configFile = await readConfigFile(repository.root);
  const config = configFile.kind === "config" ? configFile.config : makeDefaultConfig();
  const places = { repository, config, stateDirectory: state.path, lockPath: state.lockPath };
  const journal = await surveyWorkspace(places);
  if (journal.kind === "corrupt" || journal.kind === "newer") return refuseUnusableJournal(journal);
  if (journal.kind === "short" && journal.damage !== null) return refuseUnusableJournal(journal.damage);
  return {
    kind: "snapshot",
    ...places,
    configFile,
    history: join(repository.root, config.history.dir),
    lines: journal.lines,
    missingLines: journal.kind === "short" ? journal.missing.length : 0,
    lostTick: journal.kind === "lost" ? journal.holder : null,
  };
}
