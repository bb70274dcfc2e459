/**
 * Undoes the last accepted tick.
 *
 * Every path must still be as the tick left it, because a person's later edit would be lost. A change
 * that was committed is undone only while its commit is HEAD and the tree is clean. The files come first: until the
 * branch has moved, the commit still holds everything.
 */
import { join, posix } from "node:path";
import type { KeptWork } from "../records/kept-work.ts";
import { locateKeptFolder } from "../store/rescue.ts";
import type { JournalLine } from "../records/event.ts";
import { MeasurementError } from "../base/errors.ts";
import { findSideBefore } from "../judge/pure/kept-files.ts";
import { decodePath } from "../base/path-names.ts";
import { toBytePath } from "../system/byte-path.ts";
import { dropPair } from "../store/change-pair.ts";
import { type CommitIdentity, commitIdentity } from "../store/commit-identity.ts";
import type { ContentStore } from "../store/content-store.ts";
import { type FilterSettings, readFilterSettings } from "../git/filter-settings.ts";
import { type FilterView, openFilterView } from "../git/filter-view.ts";
import { listGitDifference, type GitSide } from "../git/git-difference.ts";
import { listDirtyPaths } from "../git/git-status.ts";
import { listFolders } from "../system/list-folders.ts";
import { moveBranch } from "../store/branches.ts";
import { copyIndex } from "../store/private-index.ts";
import { withPrivateFolder } from "../system/private-folder.ts";
import { readHead } from "../git/head.ts";
import { isHalfRestored, removeHalfRestored } from "../store/restore.ts";
import { isAsRecorded } from "../store/recorded-entry.ts";
import type { Repository } from "../git/repository-layout.ts";
import { editIndex, withIndexLock } from "../store/user-index.ts";
import { type EntryMove, listUnmovable, writeEntries } from "../store/write-entries.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { nameBesidesRef, findWork, type FoundWork, type KeepWorkRequest, keepWork, nameKeptRef } from "./keep-work.ts";

const MIB = 1024 * 1024;
const LIMITS = { filesMax: 100_000, fileBytesMax: 256 * MIB, totalBytesMax: 1024 * MIB };
/** Older ticks cannot be undone anyway. */
const KEPT_MAX = 10;

/** Saves both sides of an accepted change, and removes the oldest ones. */
export async function keepAccepted(request: KeepWorkRequest): Promise<KeptWork> {
  const kept = await keepWork(request, { kind: "accepted", limits: LIMITS });
  const names = await listFolders(join(request.stateDirectory, "accepted"));
  for (const runId of names.filter((name) => name !== request.runId).slice(0, Math.max(0, names.length - KEPT_MAX))) {
    dropPair(request.store, nameKeptRef("accepted", runId));
    dropPair(request.store, nameBesidesRef("accepted", runId));
    request.store.redo.remove(locateKeptFolder(request.stateDirectory, "accepted", runId));
  }
  return kept;
}

export interface UndoRequest {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly stateDirectory: string;
  readonly lines: readonly JournalLine[];
  readonly runId: string;
  /** Null where the change was left in the working tree. */
  readonly commit: string | null;
  readonly base: string;
}

export type UndoOutcome =
  | {
      readonly kind: "undone";
      readonly work: KeptWork;
      /** Paths outside the commit that were reverted too, and those that were not: changed since, or not saved. */
      readonly besides: readonly string[];
      readonly notBack: readonly string[];
    }
  /** Nothing was written. */
  | { readonly kind: "edited"; readonly paths: readonly string[] }
  /** These paths were not saved, so the undo would not be complete; nothing was written. */
  | { readonly kind: "incomplete"; readonly paths: readonly string[] }
  | { readonly kind: "dirty"; readonly paths: readonly string[] }
  | { readonly kind: "not-head"; readonly head: string | null }
  | Exclude<FoundWork, { kind: "found" }>;

export async function undoAccepted(request: UndoRequest): Promise<UndoOutcome> {
  const { repository, runId } = request;
  const found = await findWork(request, "accepted", runId);
  if (found.kind !== "found") return found;
  const incomplete = found.work.left_out.filter(({ reason }) => reason === "size").map(({ path }) => path);
  if (incomplete.length > 0) return { kind: "incomplete", paths: incomplete };
  const settings = await readFilterSettings(repository);
  const moves = found.work.files.map((file) => ({
    path: decodeChangePath(file),
    from: file.after,
    // A commit checks the path out, so its earlier content must be written.
    to: request.commit === null ? findSideBefore(file) : file.before,
  }));
  const root = toBytePath(repository.root);
  // An interrupted undo has reverted some of the paths already.
  const isReverted = (text: string): boolean =>
    isHalfRestored(posix.basename(text)) ||
    moves.some(({ path, to }) => decodePath(path).text === text && isAsRecorded(root, { path, side: to }));
  const refusal = await findUndoRefusal(request, { settings, isReverted });
  if (refusal !== null) return refusal;
  const left = moves.filter(
    ({ path, from, to }) => isAsRecorded(root, { path, side: from }) || !isAsRecorded(root, { path, side: to }),
  );
  const edited = listUnmovable({ root, moves: left });
  if (edited.length > 0) return { kind: "edited", paths: edited.map((path) => decodePath(path).text) };
  for (const { path } of left) removeHalfRestored(root, path);
  const besides = planBesides(found.work, root);
  await revertPaths(request, settings, moves, [...left, ...besides.moves]);
  const { paths, notBack } = besides;
  return { kind: "undone", work: found.work, besides: paths, notBack };
}

/** Paths outside the commit are no reason to refuse: those changed since stay, and are named. */
function planBesides({ besides }: KeptWork, root: string) {
  const wanted = (besides?.files ?? []).map((file) => ({
    path: decodeChangePath(file),
    from: file.after,
    to: findSideBefore(file),
  }));
  const open = wanted.filter(({ path, to }) => !isAsRecorded(root, { path, side: to }));
  const stuck = new Set(listUnmovable({ root, moves: open }));
  const moves = open.filter(({ path }) => !stuck.has(path));
  const lost = (besides?.left_out ?? []).filter(({ reason }) => reason !== "runner_owned");
  return {
    moves,
    paths: moves.map(({ path }) => decodePath(path).text).toSorted(),
    notBack: [...[...stuck].map((path) => decodePath(path).text), ...lost.map(({ path }) => path)],
  };
}

async function findUndoRefusal(
  { repository, commit, base }: UndoRequest,
  { settings, isReverted }: { readonly settings: FilterSettings; readonly isReverted: (path: string) => boolean },
): Promise<UndoOutcome | null> {
  const head = await readHead(repository);
  if (head.commit !== (commit ?? base)) return { kind: "not-head", head: head.commit };
  if (commit === null) return null;
  const dirty = (await listDirtyPaths({ repository, settings })).filter((path) => !isReverted(path));
  return dirty.length > 0 ? { kind: "dirty", paths: dirty } : null;
}

async function revertPaths(
  request: UndoRequest,
  settings: FilterSettings,
  moves: readonly EntryMove[],
  left: readonly EntryMove[],
): Promise<void> {
  const { repository, store, stateDirectory, base, commit } = request;
  const root = toBytePath(repository.root);
  const identity = await commitIdentity(repository, { settings });
  await withPrivateFolder(join(stateDirectory, "accepted", request.runId), async (folder) => {
    const objectFormat = base.length === 64 ? "sha256" : "sha1";
    const view = await openFilterView({ repository, settings, folder, objectFormat });
    await withIndexLock(repository, async (install) => {
      // While the index is locked nobody commits; before, a person may have.
      const head = await readHead(repository);
      if (head.commit !== (commit ?? base)) throw new MeasurementError("HEAD", "moved meanwhile");
      const entries = await listIndexEntries(request, { view, moves });
      await writeEntries({ root, moves: left, store });
      const index = entries.size === 0 ? null : await editIndex(repository, view, entries);
      if (commit !== null) await moveBranchBack(request, { commit, identity });
      if (index !== null) await install(index);
    });
  });
}

/** The index afterwards: for a commit its paths as in the base, otherwise unstaged paths of the change. */
async function listIndexEntries(
  { repository, base, commit }: UndoRequest,
  { view, moves }: { readonly view: FilterView; readonly moves: readonly EntryMove[] },
): Promise<ReadonlyMap<string, GitSide | null>> {
  if (commit !== null) {
    const differences = await listGitDifference(view.access, { from: commit, to: base });
    const known = new Set(moves.map(({ path }) => path));
    const stray = differences.find(({ path }) => !known.has(path));
    if (stray !== undefined) throw new MeasurementError(commit, `also changes ${decodePath(stray.path).text}`);
    return new Map(differences.map(({ path, after }) => [path, after]));
  }
  await copyIndex(repository, { gitDir: view.access.gitDir, objectDirectory: "", indexFile: "" });
  const touched = new Set(moves.map(({ path }) => path));
  const staged = await listGitDifference(view.access, { from: base, to: null });
  return new Map(staged.filter(({ path }) => touched.has(path)).map(({ path, before }) => [path, before]));
}

async function moveBranchBack(
  { repository, base, runId }: UndoRequest,
  { commit, identity }: { readonly commit: string; readonly identity: CommitIdentity },
): Promise<void> {
  const { text: headText } = await readHead(repository);
  await moveBranch({
    repository,
    headText,
    from: commit,
    to: base,
    reason: `relais: undo ${runId}`,
    identity,
  });
}
