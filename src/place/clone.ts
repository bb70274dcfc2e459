/**
 * The work happens in a clone: a copy of the worktree, with git data of its own that shares only objects with the
 * user's.
 *
 * It is for systems without overlays. Nothing of the user's repository is changed until a change is accepted, and then
 * path by path, if nobody has edited those paths meanwhile. The path of the worktree is another one.
 */
import { join } from "node:path";
import type { Evidence, Rules } from "../records/evidence.ts";
import type { Manifest } from "../base/manifest.ts";
import { describeError } from "../base/describe-error.ts";
import { InvariantError } from "../base/invariant.ts";
import { MainTreeChanged } from "../base/main-tree-changed.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { decodePath } from "../base/path-text.ts";
import { writeEditedNote } from "../evidence/pure/unkept-notes.ts";
import { type ContentStore, openContentStore } from "../store/content-store.ts";
import { toBytePath } from "../system/byte-path.ts";
import { readHead } from "../git/read-head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { locatePlace, noteTree, removePlace, removePlaces } from "../sandbox/place-folder.ts";
import { type CommitUndo, noteOwnSettlement, noteSettlement, undoSettlement } from "./commit-undo.ts";
import { makeClone, type CloneStart, readStart } from "./make-clone.ts";
import { openInPlace } from "./in-place.ts";
import { listOriginalEdits } from "./original-edits.ts";
import type { OverlayOptions } from "./overlay-mount.ts";
import {
  listDifferent,
  listEditedPaths,
  pickChanged,
  readChangeTime,
  type TreeMerge,
  undoMerge,
  writeMerge,
} from "./tree-merge.ts";
import type { Candidate, Workplace } from "./workplace.ts";

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
  const inside = await openInPlace(
    { ...options, repository: own },
    { file: join(folder, "observation"), observeFirst },
  );
  const clone: Clone = { ...options, store, folder, inside, memory };
  return {
    ...inside,
    isolation: "clone",
    prepare: async (rememberedSha256 = null) => {
      remembered = rememberedSha256;
      await removePlaces(stateDirectory);
      const { observationSha256 } = await inside.prepare();
      return { observationSha256: await requireStart(clone).save(observationSha256) };
    },
    resume: (observationSha256) => resumeClone(clone, observationSha256),
    collect: (rules) => collectChange(clone, rules, inside.collect),
    collectBesideMounts: (rules) => collectChange(clone, rules, inside.collectBesideMounts),
    changedSince: async (candidate) =>
      memory.merged === null ? inside.changedSince(candidate) : listLateEdits(clone, memory.merged),
    listOriginalEdits: async () => listOriginalEdits({ repository, store, ...requireStart(clone) }),
    discard: () => undoChanges(clone, memory.merged?.evidence ?? null),
    merge: (candidate) => mergeChange(clone, candidate),
    revertMerge: (evidence) => undoChanges(clone, evidence),
    noteOwnFiles: (paths) => noteOwnSettlement(locateSettlement(clone), paths),
    close: async (isResumedLater = false) => {
      if (!isResumedLater) await removePlace(folder, store.redo);
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
    await inside.resume(clone);
  } catch (error) {
    memory.lost = describeError(error);
  }
}

/** After the merge, the change is what was merged. */
async function collectChange(
  { memory }: Clone,
  rules: Rules,
  collect: (rules: Rules) => Promise<Candidate>,
): Promise<Candidate> {
  if (memory.lost !== null) throw new MeasurementError("the clone", memory.lost);
  return memory.merged ?? collect(rules);
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
  const changed = (await inside.changedSince(candidate)).filter((path) => !path.startsWith("git: "));
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
