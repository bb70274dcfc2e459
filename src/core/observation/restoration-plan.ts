/**
 * How to turn one manifest back into another: what to remove, make, write and set, and in which order.
 *
 * The order is what makes it safe. Everything that does not belong is removed first, deepest entries first, so that no
 * planted link is left to write through; folders come before what is in them; modes and times come last, because
 * writing needs permissions and touches times.
 */
import type { Entry, Manifest } from "../../contract/evidence/manifest.ts";
import { compareStamps, type Difference } from "./compare-manifests.ts";

interface Step {
  readonly path: string;
  readonly entry: Entry;
}

export interface RestorationPlan {
  /** Entries as they are now, deepest first. A forced folder is removed with all that could not be listed in it. */
  readonly remove: readonly Step[];
  readonly createFolders: readonly Step[];
  /** Files, links and FIFOs as they were. */
  readonly write: readonly Step[];
  /** Mode, owner and times as they were: contents first, folders after them, deepest first. */
  readonly settle: readonly Step[];
  /** Sockets and devices that are gone. They cannot be made again, only reported. */
  readonly lost: readonly string[];
}

export function planRestoration(before: Manifest, after: Manifest): RestorationPlan {
  const differences = compareStamps(before, after).toSorted(byPath);
  const remove = differences.filter(mustGo).flatMap(({ path, after: is }) => step(path, is));
  const missing = differences.filter((difference) => mustBeMade(difference));
  const made = missing.flatMap(({ path, before: was }) => step(path, was));
  const write = made.filter(({ entry }) => ["file", "symlink", "fifo"].includes(entry.type));
  const settled = settledPaths(differences, before);
  return {
    remove: remove.toReversed(),
    createFolders: made.filter(({ entry }) => entry.type === "directory"),
    write,
    settle: [
      ...settled.filter(({ entry }) => entry.type !== "directory"),
      ...settled.filter(({ entry }) => entry.type === "directory").toReversed(),
    ],
    lost: made.filter(({ entry }) => ["socket", "device"].includes(entry.type)).map(({ path }) => path),
  };
}

function byPath(left: Difference, right: Difference): number {
  if (left.path === right.path) return 0;
  return left.path < right.path ? -1 : 1;
}

function step(path: string, entry: Entry | null): readonly Step[] {
  return entry === null ? [] : [{ path, entry }];
}

function mustGo({ before, after }: Difference): boolean {
  return after !== null && (before === null || before.type !== after.type);
}

function mustBeMade({ before, after }: Difference): boolean {
  if (before === null) return false;
  if (after === null || before.type !== after.type) return true;
  if (before.type === "symlink") return before.target !== after.target;
  // A new link count means that somebody holds another name of the same file: give it a body of its own.
  return before.type === "file" && (before.id !== after.id || before.hardLinks < after.hardLinks);
}

/** What differs, and every folder whose own times a removal or a writing disturbs. */
function settledPaths(differences: readonly Difference[], before: Manifest): readonly Step[] {
  const paths = new Set<string>();
  for (const { path, before: was } of differences) {
    if (was !== null) paths.add(path);
    if (path !== "") paths.add(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
  }
  return [...paths].toSorted().flatMap((path) => step(path, before.get(path) ?? null));
}
