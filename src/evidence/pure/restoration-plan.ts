import type { Entry, Manifest } from "../../base/manifest.ts";
import { compareStamps, type Difference } from "./compare-manifests.ts";
import type { Change } from "../../records/evidence.ts";

/**
 * How to turn one manifest back into another. The order makes it safe: everything foreign is removed first, deepest
 * entries first, so that no planted link is left to write through; folders come before their entries; modes and times
 * come last, because writing needs permissions and changes times.
 */

interface RestorationStep {
  readonly path: string;
  readonly entry: Entry;
}

export interface RestorationPlan {
  /** As they are now, deepest first. A forced folder is removed with everything in it. */
  readonly remove: readonly RestorationStep[];
  readonly createFolders: readonly RestorationStep[];
  /** Files, links and FIFOs as they were. */
  readonly write: readonly RestorationStep[];
  /** Mode, owner and times as they were: contents first, then folders, deepest first. */
  readonly settle: readonly RestorationStep[];
  /** Sockets and devices that are gone. They cannot be created again, only reported. */
  readonly lost: readonly string[];
}

export function planRestoration(before: Manifest, after: Manifest): RestorationPlan {
  const differences = compareStamps(before, after).toSorted(compareByPath);
  const remove = differences.filter(mustGo).flatMap(({ path, after: is }) => listStep(path, is));
  const missing = differences.filter((difference) => mustBeMade(difference));
  const made = missing.flatMap(({ path, before: was }) => listStep(path, was));
  const write = made.filter(({ entry }) => ["file", "symlink", "fifo"].includes(entry.type));
  const settled = listSettledPaths(differences, before);
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

function compareByPath(left: Difference, right: Difference): number {
  if (left.path === right.path) return 0;
  return left.path < right.path ? -1 : 1;
}

function listStep(path: string, entry: Entry | null): readonly RestorationStep[] {
  return entry === null ? [] : [{ path, entry }];
}

function mustGo({ before, after }: Difference): boolean {
  return after !== null && (before === null || before.type !== after.type);
}

function mustBeMade({ before, after }: Difference): boolean {
  if (before === null) return false;
  if (after === null || before.type !== after.type) return true;
  if (before.type === "symlink") return before.target !== after.target;
  // A new link count means that another name of the same file exists: give it a body of its own.
  return before.type === "file" && (before.id !== after.id || before.hardLinks < after.hardLinks);
}

/** Removing and writing also change the times of the folders above. */
function listSettledPaths(differences: readonly Difference[], before: Manifest): readonly RestorationStep[] {
  const paths = new Set<string>();
  for (const { path, before: was } of differences) {
    if (was !== null) paths.add(path);
    if (path !== "") paths.add(path.slice(0, Math.max(0, path.lastIndexOf("/"))));
  }
  return [...paths].toSorted().flatMap((path) => listStep(path, before.get(path) ?? null));
}

/** What tools put into every cache that may be deleted at any time (bford.info/cachedir). */
const TAG = "CACHEDIR.TAG";
/** Caches of linters, compilers and test runners that carry no tag. */
const UNTAGGED =
  /(?:^|\/)(?:node_modules\/\.(?:cache|vite|vitest)|\.(?:es|style)lintcache|[^/]+\.tsbuildinfo)(?:\/|$)/u;

/** The changed ignored files in caches of tools. A tool believes its cache, so a forged one decides what a check says. */
export function listCachePaths(changes: readonly Change[], hasEntry: (path: string) => boolean): readonly string[] {
  return changes
    .filter(({ standing, path_base64: bytes }) => standing === "ignored" && bytes === null)
    .map(({ path }) => path)
    .filter((path) => UNTAGGED.test(path) || isTagged(path, hasEntry));
}

function isTagged(path: string, hasEntry: (path: string) => boolean): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    if (hasEntry(`${path.slice(0, at)}/${TAG}`)) return true;
  return false;
}
