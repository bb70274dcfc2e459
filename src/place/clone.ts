import { type Manifest, noteSettledTime, type Observation } from "../base/manifest.ts";
import { compareManifests } from "../evidence/pure/compare-manifests.ts";
import { decodePath } from "../base/path-names.ts";
import { type ContentStore, openContentStore } from "../store/content-store.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import { readNames } from "../system/read-names.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findEntryAt } from "../system/walk.ts";
import { observeWorktree, observe } from "../evidence/observe.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Head, Evidence } from "../records/evidence.ts";
import { RollbackError } from "../base/rollback-error.ts";
import { writeAtomic, writeUnsynced } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { makeFolders } from "../system/folders.ts";
import { makeCloneGitData } from "../git/clone-git-data.ts";
import { readHead } from "../git/head.ts";
import { readClockMs } from "../system/clock.ts";
import { saveObservation } from "../store/observation-file.ts";
import { copyTree } from "../sandbox/copy-tree.ts";
import { listRepositoryMounts } from "../evidence/mount-watch.ts";
import { loadRemembered, signObservation } from "../evidence/observation-signature.ts";
import { describeError, InvariantError, MeasurementError } from "../base/errors.ts";
import { MainTreeChanged } from "../base/main-tree-changed.ts";
import { writeEditedNote } from "../evidence/pure/unkept-notes.ts";
import { locatePlace, noteTree, removePlace, removePlaces } from "../sandbox/place-folder.ts";
import { type CommitUndo, noteOwnSettlement, noteSettlement, undoSettlement } from "./commit-undo.ts";
import { openInPlace } from "./in-place.ts";
import type { OverlayOptions } from "./overlay-start.ts";
import {
  listDifferent,
  listEditedPaths,
  pickChanged,
  readChangeTime,
  type TreeMerge,
  undoMerge,
  writeMerge,
} from "./tree-merge.ts";
import type { Candidate, ChangeView, Workplace } from "./workplace.ts";

/**
 * The user's repository while a program works in a copy of it. Without a sandbox the program can find the original, and
 * no evidence of the copy shows what it writes there.
 */

/** The files of git's own data that make later commands start programs. A person's commits leave them alone. */
const STEERING_FILES = ["config", "config.worktree"];
const STEERING_FOLDERS = ["hooks", "info"];

/** By path, with the time of the last change. */
export type SteeringStamps = ReadonlyMap<string, string>;

export function stampSteering({ commonDir }: Repository): SteeringStamps {
  const folder = toBytePath(commonDir);
  const listed = STEERING_FOLDERS.flatMap((name) =>
    [...(readNames(joinBytes(folder, name)) ?? [])].map((file) => `${name}/${file}`),
  );
  return new Map([...STEERING_FILES, ...listed].map((path) => [path, findEntryAt(folder, path)?.stamp ?? ""]));
}

interface Original {
  readonly repository: Repository;
  readonly store: ContentStore;
  /** When the copy was made. */
  readonly takenAt: number;
  readonly worktree: Manifest;
  readonly steering: SteeringStamps;
}

export async function listOriginalEdits(original: Original): Promise<readonly string[]> {
  const { repository, store, takenAt, worktree, steering } = original;
  const earlier = { takenAt, worktree, git: new Map() };
  const now = await observeWorktree({ repository, store, earlier, afterBuild: false, isComparison: true });
  const files = compareManifests(worktree, now.worktree)
    .filter(({ before, after }) => before?.type !== "directory" || after?.type !== "directory")
    .map(({ path }) => decodePath(path).text);
  const steeringNow = stampSteering(repository);
  const paths = new Set([...steering.keys(), ...steeringNow.keys()]);
  const changed = [...paths].filter((path) => (steering.get(path) ?? "") !== (steeringNow.get(path) ?? ""));
  return [...files, ...changed.map((path) => `.git/${decodePath(path).text}`)];
}

/** Makes the clone of an attempt: a copy of the worktree, and git data of its own. */

/** Both observations by their hashes: of the worktree, for the next tick, and of the clone, for a recovery. */
const START_BYTES_MAX = 256;
interface StartHashes {
  readonly worktree: string;
  readonly clone: string;
}

/** The user's repository when the clone was made. */
export interface CloneStart {
  readonly takenAt: number;
  readonly worktree: Manifest;
  readonly head: Head;
  readonly steering: SteeringStamps;
  /** Saves both hashes and answers with the one that names them, for the journal. */
  readonly save: (cloneSha256: string) => Promise<string>;
}

export interface CloneRequest {
  readonly repository: Repository;
  readonly stateDirectory: string;
  readonly store: ContentStore;
  /** The repository to be made, and the folder around it. */
  readonly own: Repository;
  readonly folder: string;
  /** The hash of the last start in the journal. */
  readonly remembered: string | null;
}

export async function makeClone(
  request: CloneRequest,
): Promise<{ readonly start: CloneStart; readonly observation: Observation }> {
  const { repository, stateDirectory, store, own, folder } = request;
  const head = await readHead(repository);
  const steering = stampSteering(repository);
  const seen = await observeOriginal(request);
  makeFolders(own.root, 0o700);
  const [from, to] = [toBytePath(repository.root), toBytePath(own.root)];
  const copies = await copyTree({ from, to, manifest: withoutGitFile(seen.observation.worktree) });
  await makeCloneGitData(repository, own.gitDir);
  const earlier = { takenAt: noteSettledTime(readClockMs()), worktree: copies, git: new Map() };
  const observation = await observe({ repository: own, store, earlier, afterBuild: false });
  await awaitClock(folder);
  const save = async (cloneSha256: string): Promise<string> => {
    const text = `${seen.sha256} ${cloneSha256}\n`;
    await writeAtomic(locateStart(stateDirectory), text, { mode: 0o600 });
    return hashText(text);
  };
  const { takenAt, worktree } = seen.observation;
  return {
    start: { takenAt, worktree, head, steering, save },
    observation: { ...observation, takenAt: noteSettledTime(readClockMs()) },
  };
}

/** The observation of the worktree is remembered, so that the next clone reads only changed files. */
async function observeOriginal({ repository, store, stateDirectory, remembered }: CloneRequest) {
  const file = join(stateDirectory, "observation");
  const part = { repository, store, mounts: await listRepositoryMounts(repository), file };
  const known = remembered === null ? null : await findStart(stateDirectory, remembered);
  const earlier = loadRemembered({ ...part, rememberedSha256: known?.worktree ?? null });
  const observation = await observeWorktree({ repository, store, earlier, afterBuild: false });
  const sha256 = await saveObservation(file, { observation, signature: signObservation(part) }, store.redo);
  return { observation, sha256 };
}

/** In a linked worktree, `.git` is a file that leads to the user's git data. */
function withoutGitFile(worktree: Manifest): Manifest {
  return new Map([...worktree].filter(([path]) => path !== ".git"));
}

/** Waits until the file system's clock has moved: no later write carries the time of a copy. */
async function awaitClock(folder: string): Promise<void> {
  const probe = async (): Promise<string | undefined> => {
    await writeUnsynced(join(folder, "clock"), "");
    return findEntryAt(toBytePath(folder), "clock")?.stamp.split(":")[2];
  };
  const first = await probe();
  for (let now = await probe(); now === first; now = await probe()) await delay(1);
}

function locateStart(stateDirectory: string): string {
  return join(stateDirectory, "clone-start");
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Null where it is lost, or not the one that the journal names. */
async function findStart(stateDirectory: string, sha256: string): Promise<StartHashes | null> {
  const read = await readBounded(locateStart(stateDirectory), START_BYTES_MAX);
  const text = read.kind === "read" ? read.data.toString("latin1") : "";
  const [worktree = "", clone = ""] = text.trimEnd().split(" ");
  return hashText(text) === sha256 ? { worktree, clone } : null;
}

export async function readStart(stateDirectory: string, sha256: string): Promise<StartHashes> {
  const start = await findStart(stateDirectory, sha256);
  if (start === null) throw new RollbackError("the start of the clone is lost", [locateStart(stateDirectory)]);
  return start;
}

/**
 * The work happens in a clone: a copy of the worktree, with git data of its own that shares only objects with the
 * user's.
 *
 * It is for systems without overlays. Nothing of the user's repository is changed until a change is accepted, and then
 * path by path, if nobody has edited those paths meanwhile. The path of the worktree is another one.
 */

interface CloneMemory {
  start: CloneStart | null;
  /** Why the work of a crashed tick cannot be reached. */
  lost: string | null;
  merged: Candidate | null;
}

interface Clone extends OverlayOptions {
  readonly store: ContentStore;
  readonly folder: string;
  readonly inside: Workplace;
  readonly memory: CloneMemory;
}

export async function openClone(options: OverlayOptions): Promise<Workplace> {
  const { repository, stateDirectory, runId } = options;
  const store = await openContentStore(stateDirectory, repository.environment);
  const memory: CloneMemory = { start: null, lost: null, merged: null };
  const folder = locatePlace(stateDirectory, runId);
  const own = locateClone(folder, repository);
  let remembered: string | null = null;
  const observeFirst = async () => {
    const made = await makeClone({ ...options, store, own, folder, remembered });
    noteTree(folder, own.root);
    memory.start = made.start;
    return made.observation;
  };
  const file = join(folder, "observation");
  const inside = await openInPlace({ ...options, repository: own }, { file, observeFirst });
  const clone: Clone = { ...options, store, folder, inside, memory };
  return {
    place: {
      ...inside.place,
      isolation: "clone",
      close: async (isResumedLater = false) => {
        if (!isResumedLater) await removePlace(folder, store.redo);
      },
    },
    change: {
      ...inside.change,
      prepare: async (rememberedSha256 = null) => {
        remembered = rememberedSha256;
        await removePlaces(stateDirectory);
        const cloneSha256 = await inside.change.prepare();
        return requireStart(clone).save(cloneSha256);
      },
      collect: (...asked) => collectChange(clone, ...asked),
      changedSince: async (candidate) =>
        memory.merged === null ? inside.change.changedSince(candidate) : listLateEdits(clone, memory.merged),
      originalEdits: async () => listOriginalEdits({ repository, store, ...requireStart(clone) }),
    },
    settlement: {
      ...inside.settlement,
      merge: (candidate) => mergeChange(clone, candidate),
      discard: () => undoChanges(clone, memory.merged?.evidence ?? null),
      noteOwnFiles: (paths) => noteOwnSettlement(locateSettlement(clone), paths),
    },
    recovery: {
      ...inside.recovery,
      resume: (observationSha256) => resumeClone(clone, observationSha256),
      revertMerge: (evidence) => undoChanges(clone, evidence),
    },
  };
}

function locateClone(folder: string, { environment }: Repository): Repository {
  const root = join(folder, "tree");
  const gitDir = join(root, ".git");
  return { kind: "repository", root, gitDir, commonDir: gitDir, gitFile: false, environment };
}

function requireStart({ memory: { start } }: Clone): CloneStart {
  if (start === null) throw new InvariantError("the workplace was not prepared");
  return start;
}

/** The user's repository is as it was; only the work is wanted, for salvage. */
async function resumeClone({ stateDirectory, inside, memory }: Clone, observationSha256: string): Promise<void> {
  try {
    const { clone } = await readStart(stateDirectory, observationSha256);
    await inside.recovery.resume(clone);
  } catch (error) {
    memory.lost = describeError(error);
  }
}

/** After the merge, the change is what was merged. */
async function collectChange(
  { memory, inside }: Clone,
  ...asked: Parameters<ChangeView["collect"]>
): Promise<Candidate> {
  if (memory.lost !== null) throw new MeasurementError("the clone", memory.lost);
  return memory.merged ?? inside.change.collect(...asked);
}

/** The change as the worktree gets it: an entry keeps its owner, and a new one gets that of the worktree. */
function makeMerge(clone: Clone, { evidence, observation }: Candidate): TreeMerge {
  const { repository, store } = clone;
  const before = requireStart(clone).worktree;
  const usual = before.get("")?.owner;
  const sides = pickChanged(evidence.changes, { before, after: observation.worktree });
  const after: Manifest = new Map(
    [...sides.after].map(([path, entry]) => [
      path,
      { ...entry, owner: before.get(path)?.owner ?? usual ?? entry.owner },
    ]),
  );
  return { root: toBytePath(repository.root), store, before: sides.before, after };
}

/** Answers with the paths that changed in the clone since; a person's edits in the worktree are an error of its own. */
async function mergeChange(clone: Clone, candidate: Candidate): Promise<readonly string[]> {
  const { repository, inside, memory } = clone;
  const { takenAt, head } = requireStart(clone);
  // Its git data ends with the clone.
  const changed = (await inside.change.changedSince(candidate)).filter((path) => !path.startsWith("git: "));
  const merge = makeMerge(clone, candidate);
  // Written while the clone was made.
  const late = [...merge.before].filter(([, entry]) => readChangeTime(entry) > BigInt(Math.ceil(takenAt)) * 1_000_000n);
  const edited = [...late.map(([path]) => decodePath(path).text), ...listEditedPaths(merge)];
  if (edited.length > 0) throw new MainTreeChanged(edited);
  const now = await readHead(repository);
  if (now.text !== head.text || now.commit !== head.commit) throw new MainTreeChanged(["HEAD"]);
  memory.merged = candidate;
  await noteSettlement(locateSettlement(clone), []);
  await writeMerge(merge, locateMerge(clone));
  return changed;
}

/** What hooks and filters wrote into the merged files. */
function listLateEdits(clone: Clone, merged: Candidate): readonly string[] {
  return listDifferent(makeMerge(clone, merged));
}

function locateMerge({ folder }: Clone): string {
  return join(folder, "merge");
}

function locateSettlement({ repository, store, runId, ownBranch, ownFolder, folder }: Clone): CommitUndo {
  return { repository, store, runId, ownBranch, ownFolder, record: join(folder, "settlement") };
}

async function undoChanges(clone: Clone, evidence: Evidence | null): Promise<readonly string[]> {
  const { repository, store, memory } = clone;
  await undoSettlement(locateSettlement(clone));
  const merge = { root: toBytePath(repository.root), store, record: locateMerge(clone) };
  const edited = evidence === null ? [] : await undoMerge(merge, evidence.changes);
  memory.merged = null;
  return edited.map(writeEditedNote);
}
