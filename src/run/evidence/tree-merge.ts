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
import { readClockMs } from "../../io/machine/clock.ts";
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

export function pickChanged(
  changes: readonly Change[],
  { before, after }: Pick<TreeMerge, "before" | "after">,
): Pick<TreeMerge, "before" | "after"> {
  const paths = changes.map(decodeChangePath);
  const pick = (manifest: Manifest): Manifest =>
    new Map(
      paths.flatMap((path) => {
        const entry = manifest.get(path);
        return entry === undefined ? [] : [[path, entry] as const];
      }),
    );
  return { before: pick(before), after: pick(after) };
}

/** The paths that are not as they were at a moment of the file system's clock, in nanoseconds. */
export function listEditedPaths({ root, before, after }: TreeMerge, sinceNs: bigint): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .filter((path) => {
      const was = before.get(path) ?? null;
      const is = findEntryAt(root, path);
      if (was === null || is === null) return was !== null || is !== null;
      return was.stamp !== is.stamp || readChangeTime(was) > sinceNs;
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

/** Reverts a merge, or the part of one that a crash left. Answers with the paths that somebody edited since: they stay. */
export async function undoMerge(
  { root, store }: Pick<TreeMerge, "root" | "store">,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const merged = changes.filter((change) => isAsRecorded(root, { path: decodeChangePath(change), side: change.after }));
  const edited = changes.filter(
    (change) =>
      !merged.includes(change) && !isAsRecorded(root, { path: decodeChangePath(change), side: findSideBefore(change) }),
  );
  const before = makeManifest(root, merged, findSideBefore);
  const after = makeManifest(root, merged, ({ after: side }) => side);
  await restore({ folder: root, store, plan: planRestoration(before, after) });
  return edited.map(({ path }) => path);
}

/** A file that was not checked out was not there. */
function findSideBefore({ before, checked_out }: Change): EntrySide | null {
  return checked_out === false ? null : before;
}

/** The evidence knows no owners: an entry keeps the one that it has, and a new one gets that of the worktree. */
function makeManifest(root: string, changes: readonly Change[], side: (change: Change) => EntrySide | null): Manifest {
  const stamp = `0:${readClockMs()}000000:0`;
  const usual = findEntryAt(root, "")?.owner ?? "0:0";
  return new Map(
    changes.flatMap((change) => {
      const recorded = side(change);
      if (recorded === null || recorded.type === "gitlink") return [];
      const { type, mode, size, id, link_target: target } = recorded;
      const entry: Entry = {
        type,
        mode: Number.parseInt(mode, 8),
        size,
        owner: findEntryAt(root, decodeChangePath(change))?.owner ?? usual,
        hardLinks: 1,
        stamp,
        id,
        target: target === null ? null : Buffer.from(target).toString("latin1"),
        forced: false,
      };
      return [[decodeChangePath(change), entry] as const];
    }),
  );
}
