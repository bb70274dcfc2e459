import { join } from "node:path";
import type { NotReady } from "../../contract/answers/command-failure.ts";
import { makeDefaultConfig } from "../../contract/config/config.ts";
import type { Caller } from "../../contract/values/environment.ts";
import { findStateDirectory } from "../../io/workspace/state-directory.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import type { JournalTail } from "../../io/journal/read-journal.ts";
import { readUnchecked } from "../../io/journal/read-unchecked.ts";
import { type JournalPaths, locateJournal, refuseUnusableJournal, surveyWorkspace } from "./journal-state.ts";
import { locateRepository } from "./locate-repository.ts";
import { refuseUnusableState } from "./workspace-refusals.ts";
import type { WorkspaceSnapshot } from "./workspace.ts";

type LocatedJournal = { readonly kind: "located"; readonly configFile: ConfigFile } & JournalPaths;

/** Where the journal of this folder is. */
export async function locateJournalPlaces(caller: Caller): Promise<LocatedJournal | NotReady> {
  const repository = await locateRepository(caller, { needsGit: false });
  if (repository.kind === "blocked") return repository;
  const state = findStateDirectory(repository, caller.environment);
  if (state.kind === "unusable") return refuseUnusableState(state);
  const configFile = await readConfigFile(repository.root);
  const config = configFile.kind === "config" ? configFile.config : makeDefaultConfig();
  return { kind: "located", repository, config, configFile, stateDirectory: state.path, lockPath: state.lockPath };
}

/** Without a lock. Fails only without a repository or with a damaged journal. */
export async function readWorkspace(caller: Caller): Promise<WorkspaceSnapshot | NotReady> {
  const places = await locateJournalPlaces(caller);
  if (places.kind === "blocked") return places;
  const journal = await surveyWorkspace(places);
  if (journal.kind === "corrupt" || journal.kind === "newer") return refuseUnusableJournal(journal);
  if (journal.kind === "short" && journal.damage !== null) return refuseUnusableJournal(journal.damage);
  return {
    ...makeSnapshot(places, journal.lines),
    missingLines: journal.kind === "short" ? journal.missing.length : 0,
    lostTick: journal.kind === "lost" ? journal.holder : null,
  };
}

function makeSnapshot(places: LocatedJournal, lines: WorkspaceSnapshot["lines"]): WorkspaceSnapshot {
  const { repository, config } = places;
  const history = join(repository.root, config.history.dir);
  return { ...places, kind: "snapshot", history, lines, missingLines: 0, lostTick: null };
}

export interface UncheckedWorkspace {
  readonly snapshot: WorkspaceSnapshot;
  readonly tail: JournalTail;
}

/** The same at once, before anything was checked; null where only the check can tell. */
export async function readWorkspaceUnchecked(caller: Caller): Promise<UncheckedWorkspace | null> {
  const places = await locateJournalPlaces(caller);
  if (places.kind === "blocked") return null;
  const read = await readUnchecked(locateJournal(places).path);
  return read && { snapshot: makeSnapshot(places, read.lines), tail: read.tail };
}
