import { join } from "node:path";
import type { NotReady } from "../records/command-failure.ts";
import { foldEnd, type FoldedLines, foldShared } from "../records/folded-lines.ts";
import { makeDefaultConfig } from "../config/config.ts";
import type { Caller } from "../base/environment.ts";
import { findStateDirectory } from "../journal/state-directory.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import type { JournalTail } from "../journal/read-journal.ts";
import { readUnchecked } from "../journal/read-unchecked.ts";
import { fitsJournal, openEarlierLines } from "../journal/journal-summary.ts";
import { readOwnIdentity } from "../process/process-identity.ts";
import {
  type JournalPaths,
  locateJournal,
  recallWorkspace,
  refuseUnusableJournal,
  surveyWorkspace,
} from "./journal-state.ts";
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
  if (journal.kind === "corrupt" || journal.kind === "foreign") return refuseUnusableJournal(journal);
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

/** The journal of this folder, without a lock. */
export interface FoldedWorkspace extends Pick<WorkspaceSnapshot, "repository" | "stateDirectory"> {
  readonly kind: "folded";
  readonly journal: FoldedLines;
}

/** Its end, if a summary is there that holds; otherwise every line is read. */
export async function foldWorkspace(caller: Caller): Promise<FoldedWorkspace | NotReady> {
  const byEnd = await foldJournalEnd(caller);
  if (byEnd !== null) return byEnd;
  const snapshot = await readWorkspace(caller);
  if (snapshot.kind === "blocked") return snapshot;
  const { repository, stateDirectory, lines } = snapshot;
  return { kind: "folded", repository, stateDirectory, journal: foldShared(lines) };
}

/** The end of a journal between two ticks of which none needs a recovery; null where every line has to be read. */
export async function foldJournalEnd(caller: Caller): Promise<FoldedWorkspace | null> {
  const places = await locateJournalPlaces(caller);
  const summary = places.kind === "blocked" ? null : recallWorkspace(places);
  if (places.kind === "blocked" || summary === null) return null;
  const { repository, stateDirectory } = places;
  const files = locateJournal(places);
  const { bootId } = await readOwnIdentity();
  if (!fitsJournal(files.path, summary, bootId)) return null;
  const earlier = openEarlierLines(files, summary);
  earlier.close();
  return { kind: "folded", repository, stateDirectory, journal: foldEnd({ ...summary, ...earlier }) };
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
