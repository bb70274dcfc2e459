/**
 * Takes a change from a place of its own into the worktree, path by path, and back again.
 *
 * It is a compare-and-swap: nothing is written unless every path is as it was when the work began. What a person edited
 * meanwhile stays, and the change waits in salvage.
 */
import type { Change, EntrySide } from "../records/evidence.ts";
import type { Entry, Manifest } from "../base/manifest.ts";
import { MeasurementError } from "../base/errors.ts";
import { RollbackError } from "../base/rollback-error.ts";
import { compareManifests } from "../evidence/pure/compare-manifests.ts";
import { planRestoration } from "../evidence/pure/restoration-plan.ts";
import { decodePath } from "../base/path-names.ts";
import { type ContentStore, identifyFiles } from "../store/content-store.ts";
import { isAsRecorded } from "../store/recorded-entry.ts";
import { removeHalfRestored, restore } from "../store/restore.ts";
import { joinBytes } from "../system/byte-path.ts";
import { removeEmptyFolder } from "../system/remove-own.ts";
import { readClockMs } from "../system/clock.ts";
import { loadObservation, saveObservation } from "../store/observation-file.ts";
import { findEntryAt } from "../system/walk.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";

/** Only the changed paths, and the folders that come or go with them. */
export interface TreeMerge {
  /** The worktree, as a byte string. */
  readonly root: string;
  readonly store: ContentStore;
  readonly before: Manifest;
  readonly after: Manifest;
}

export function pickChanged(
  changes: readonly Change[],
  { before, after }: Pick<TreeMerge, "before" | "after">,
): Pick<TreeMerge, "before" | "after"> {
  const changed = changes.map(decodeChangePath);
  const folders = listParents(changed).filter((path) => before.has(path) !== after.has(path));
  // Folders first, as in every manifest.
  const paths = [...new Set([...folders, ...changed])];
  const pick = (manifest: Manifest): Manifest =>
    new Map(
      paths.flatMap((path) => {
        const entry = manifest.get(path);
        return entry === undefined ? [] : [[path, entry] as const];
      }),
    );
  return { before: pick(before), after: pick(after) };
}

/** Every folder above one of the paths, but for the root. */
function listParents(paths: Iterable<string>): readonly string[] {
  const parents = new Set<string>();
  for (const path of paths)
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) parents.add(path.slice(0, at));
  return [...parents];
}

/**
 * The paths that are not as they were before. A folder above them that is gone, or is a link now, counts too: nothing is
 * written elsewhere.
 */
export function listEditedPaths({ root, before, after }: TreeMerge): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const isEdited = (path: string): boolean => {
    const was = before.get(path) ?? null;
    const is = findEntryAt(root, path);
    if (was === null) return is !== null && !isSameFolder(is, after.get(path));
    return is === null || was.stamp !== is.stamp;
  };
  const isNoFolder = (path: string): boolean => findEntryAt(root, path)?.type !== "directory";
  const above = listParents(paths).filter((path) => !paths.has(path));
  return [...above.filter(isNoFolder), ...[...paths].filter(isEdited)].map((path) => decodePath(path).text);
}

/** Somebody made the same folder meanwhile. */
function isSameFolder(now: Entry, wanted: Entry | undefined): boolean {
  return now.type === "directory" && wanted?.type === "directory";
}

/** Tracked files that were not there, in a folder that changed since the work began: somebody removed them. */
export function listRemovedPaths(root: string, changes: readonly Change[], sinceNs: bigint): readonly string[] {
  const isChanged = (path: string): boolean => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const entry = findEntryAt(root, folder);
    if (entry === null && folder !== "") return isChanged(folder);
    return entry !== null && readChangeTime(entry) > sinceNs;
  };
  const absent = changes.filter(({ checked_out }) => checked_out === false);
  return absent.map(decodeChangePath).filter(isChanged);
}

/** In nanoseconds, by the clock of the file system. */
export function readChangeTime({ stamp }: Entry): bigint {
  return BigInt(stamp.slice(stamp.lastIndexOf(":") + 1));
}

/**
 * The caller has made sure that nothing was edited. Both sides are written to a file first, so that a crash can be
 * reverted. Throws where the result is not the judged one.
 */
export async function writeMerge(merge: TreeMerge, record: string): Promise<void> {
  const { root, store, before, after } = merge;
  const observation = { takenAt: readClockMs(), worktree: before, git: after };
  await saveObservation(record, { observation, signature: root }, store.redo);
  store.redo.sync();
  await restore({ folder: root, store, plan: planRestoration(after, before) });
  const [first] = listDifferent(merge);
  if (first !== undefined) throw new MeasurementError(first, "is not what was judged after it was written");
}

/** The changed paths that are not, or no longer, as after the merge. */
export function listDifferent({ root, before, after }: Omit<TreeMerge, "store">): readonly string[] {
  const now = new Map<string, Entry>();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const entry = findEntryAt(root, path);
    if (entry === null) continue;
    const knownId = after.get(path)?.id ?? null;
    const isSameSize = entry.size === after.get(path)?.size;
    const [learnt] =
      entry.type === "file" && isSameSize
        ? identifyFiles([{ folder: root, path, entry, knownId }], false)
        : [{ id: null }];
    now.set(path, { ...entry, id: learnt?.id ?? null });
  }
  return compareManifests(after, now).map(({ path }) => decodePath(path).text);
}

interface MergeUndo extends Pick<TreeMerge, "root" | "store"> {
  /** As given to `writeMerge`. Where it is missing, nothing was written. */
  readonly record: string;
}

/** Reverts a merge, or the part of one that a crash left. Answers with the paths that somebody edited since: they stay. */
export async function undoMerge(
  { root, store, record }: MergeUndo,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const saved = loadObservation(record)?.observation;
  if (saved === undefined) return [];
  const sides = changes.map((change) => ({ change, path: decodeChangePath(change) }));
  // The record may name other paths only if somebody forged it.
  const known = new Set(sides.map(({ path }) => path).flatMap((path) => [path, ...listParents([path])]));
  const pick = (manifest: Manifest): Manifest => new Map([...manifest].filter(([path]) => known.has(path)));
  const [before, after] = [pick(saved.worktree), pick(saved.git)];
  const merged = sides.filter(({ change, path }) => holds(root, path, change.after));
  const edited = sides.filter((side) => !merged.includes(side) && !holds(root, side.path, findSideBefore(side.change)));
  for (const path of [...before.keys(), ...after.keys()]) removeHalfRestored(root, path);
  const target = new Map(listRecorded(before, merged, findSideBefore));
  const present = new Map(listRecorded(after, merged, ({ after: side }) => side));
  for (const [path, entry] of before) {
    if (entry.type !== "directory" || after.has(path)) continue;
    target.set(path, entry);
    if (findEntryAt(root, path)?.type === "directory") present.set(path, entry);
  }
  const folders = new Map([...target].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  await restore({ folder: root, store, plan: planRestoration(folders, present) });
  const made = [...after].filter(([path, { type }]) => type === "directory" && !before.has(path));
  for (const [path] of made.toReversed()) removeEmptyFolder(joinBytes(root, path));
  return edited.map(({ change }) => change.path);
}

/** Type and content; a crash may have come before the mode was set. */
function holds(root: string, path: string, side: EntrySide | null): boolean {
  const now = findEntryAt(root, path);
  if (now === null || side === null) return now === null && side === null;
  if (side.type !== "file" && side.type !== "symlink") return now.type === side.type;
  return isAsRecorded(root, { path, side: { ...side, mode: nameMode(now) } });
}

function nameMode({ mode }: Entry): string {
  return mode.toString(8).padStart(4, "0");
}

interface ChangedPath {
  readonly change: Change;
  readonly path: string;
}

/** The saved entries of the changed paths, as far as the evidence says the same. */
function listRecorded(
  saved: Manifest,
  changed: readonly ChangedPath[],
  findSide: (change: Change) => EntrySide | null,
): readonly (readonly [string, Entry])[] {
  return changed.flatMap(({ change, path }) => {
    const side = findSide(change);
    const entry = saved.get(path);
    if (side === null || side.type === "gitlink") return [];
    if (entry === undefined || entry.type !== side.type || entry.id !== side.id || nameMode(entry) !== side.mode)
      throw new RollbackError("the record of the merge does not fit the evidence", [change.path]);
    return [[path, entry] as const];
  });
}

/** A file that was not checked out was not there. */
function findSideBefore({ before, checked_out }: Change): EntrySide | null {
  return checked_out === false ? null : before;
}
