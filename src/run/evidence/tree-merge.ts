/**
 * Takes a change from a place of its own into the worktree, path by path, and back again.
 *
 * It is a compare-and-swap: nothing is written unless every path is as it was when the work began. What a person edited
 * meanwhile stays, and the change waits in salvage.
 */
import type { Change, EntrySide } from "../../contract/evidence/evidence.ts";
import type { Entry, Manifest } from "../../contract/evidence/manifest.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { compareManifests } from "../../core/observation/compare-manifests.ts";
import { planRestoration } from "../../core/observation/restoration-plan.ts";
import { decodePath } from "../../core/paths/path-text.ts";
import { type ContentStore, identifyFiles } from "../../io/content/content-store.ts";
import { isAsRecorded } from "../../io/content/recorded-entry.ts";
import { restore } from "../../io/content/restore.ts";
import { writeEntries } from "../../io/content/write-entries.ts";
import { findEntryAt } from "../../io/observe/walk.ts";
import { decodeChangePath } from "./change-bytes.ts";

/** Only the changed paths. */
export interface TreeMerge {
  /** The worktree, as a byte string. */
  readonly root: string;
  readonly store: ContentStore;
  readonly before: Manifest;
  readonly after: Manifest;
}

const isFolder = (entry: Entry | null): boolean => entry?.type === "directory";

/** The judged paths, and the folders around them, which no change names. */
export function pickChanged(
  changes: readonly Change[],
  { before, after }: Pick<TreeMerge, "before" | "after">,
): Pick<TreeMerge, "before" | "after"> {
  const judged = new Set(changes.map(decodeChangePath));
  const differences = compareManifests(before, after).filter(
    ({ path, before: was, after: is }) => judged.has(path) || isFolder(was) || isFolder(is),
  );
  const pick = (side: "before" | "after"): Manifest =>
    new Map(differences.flatMap(({ path, [side]: entry }) => (entry === null ? [] : [[path, entry] as const])));
  return { before: pick("before"), after: pick("after") };
}

/** The paths that are not as they were before. */
export function listEditedPaths({ root, before, after }: TreeMerge): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .filter((path) => {
      const was = before.get(path) ?? null;
      const is = findEntryAt(root, path);
      if (was === null || is === null) return was !== null || is !== null;
      return was.stamp !== is.stamp;
    })
    .map((path) => decodePath(path).text);
}

/** In nanoseconds, by the clock of the file system. */
export function readChangeTime({ stamp }: Entry): bigint {
  return BigInt(stamp.slice(stamp.lastIndexOf(":") + 1));
}

/** The caller has made sure that nothing was edited. Throws where the result is not the judged one. */
export async function writeMerge(merge: TreeMerge): Promise<void> {
  const { root, store, before, after } = merge;
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

/** Reverts a merge of this process. Answers with the paths that somebody edited since: they stay. */
export async function undoMerge(merge: TreeMerge): Promise<readonly string[]> {
  const { root, store, before, after } = merge;
  const edited = new Set(listDifferent(merge));
  const pick = (manifest: Manifest): Manifest =>
    new Map([...manifest].filter(([path]) => !edited.has(decodePath(path).text)));
  await restore({ folder: root, store, plan: planRestoration(pick(before), pick(after)) });
  return [...edited];
}

/** Reverts the part of a merge that a crash left, by the evidence. Answers as `undoMerge`. */
export async function undoMergePart(
  { root, store }: Pick<TreeMerge, "root" | "store">,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const moves = changes.map((change) => ({
    change,
    path: decodeChangePath(change),
    from: change.after,
    to: findSideBefore(change),
  }));
  const merged = moves.filter(({ path, from }) => isAsRecorded(root, { path, side: from }));
  const edited = moves.filter(
    (move) => !merged.includes(move) && !isAsRecorded(root, { path: move.path, side: move.to }),
  );
  await writeEntries({ root, store, moves: merged });
  return edited.map(({ change }) => change.path);
}

/** A file that was not checked out was not there. */
function findSideBefore({ before, checked_out }: Change): EntrySide | null {
  return checked_out === false ? null : before;
}
