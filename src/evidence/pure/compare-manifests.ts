import type { Entry, Manifest, Observation } from "../../base/manifest.ts";
import { foldName } from "../../base/path-names.ts";

export interface Difference {
  readonly path: string;
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/**
 * Compares type, mode, owner, content and link text. Times are ignored. So are link counts around the same content: the
 * judge sees those of new entries and of entries that differ otherwise.
 */
export function compareManifests(before: Manifest, after: Manifest): readonly Difference[] {
  return pairEntries(before, after).filter(({ before: was, after: is }) => !isSameEntry(was, is));
}

export function compareStamps(before: Manifest, after: Manifest): readonly Difference[] {
  return pairEntries(before, after).filter(
    ({ before: was, after: is }) => !isSameEntry(was, is) || !isUntouched(was, is),
  );
}

/**
 * Entries of which only the time of the last change differs: an extended attribute or an immutable flag was set, or a
 * move or a mode was undone.
 */
export function listTouchedPaths(before: Manifest, after: Manifest): readonly string[] {
  return pairEntries(before, after)
    .filter(({ before: was, after: is }) => was !== null && is !== null && isOnlyTouched(was, is))
    .map(({ path }) => path);
}

/** Files with another inode or other times, whatever is in them. */
export function listRewrittenPaths(before: Manifest, after: Manifest): readonly string[] {
  return pairEntries(before, after)
    .filter(({ before: was, after: is }) => was?.type === "file" && is?.type === "file" && was.stamp !== is.stamp)
    .map(({ path }) => path);
}

function isOnlyTouched(was: Entry, is: Entry): boolean {
  const [inode, modified, changed] = was.stamp.split(":");
  const [inodeNow, modifiedNow, changedNow] = is.stamp.split(":");
  return (
    inode === inodeNow &&
    modified === modifiedNow &&
    changed !== changedNow &&
    was.hardLinks === is.hardLinks &&
    isSameEntry(was, is)
  );
}

function pairEntries(before: Manifest, after: Manifest): readonly Difference[] {
  const differences: Difference[] = [];
  for (const [path, was] of before) {
    const is = after.get(path) ?? null;
    if (is !== was) differences.push({ path, before: was, after: is });
  }
  for (const [path, is] of after) {
    if (!before.has(path)) differences.push({ path, before: null, after: is });
  }
  return differences;
}

export function isSameEntry(was: Entry | null, is: Entry | null): boolean {
  if (was === null || is === null) return was === is;
  return (
    was.type === is.type && was.mode === is.mode && was.owner === is.owner && !is.forced && hasSameContent(was, is)
  );
}

function hasSameContent(was: Entry, is: Entry): boolean {
  if (was.type === "file") return was.id !== null && was.id === is.id && was.size === is.size;
  if (was.type === "symlink") return was.target === is.target;
  return was.type === "directory" || was.size === is.size;
}

function isUntouched(was: Entry | null, is: Entry | null): boolean {
  if (was === null || is === null) return was === is;
  if (was.type === "directory") return readMtime(was) === readMtime(is);
  return was.hardLinks === is.hardLinks && readMtime(was) === readMtime(is);
}

function readMtime(entry: Entry): string | undefined {
  return entry.stamp.split(":")[1];
}

/**
 * Names that would be one file on a disk that ignores case or normalises unicode. Each new path and each of its folders
 * is compared with everything that exists.
 */

export interface Collisions {
  readonly with: (path: string) => string | null;
}

export function findCollisions(added: readonly string[], existing: Iterable<string>): Collisions {
  if (added.length === 0) return { with: () => null };
  const byFolded = new Map<string, string>();
  for (const path of existing) {
    for (const part of withFolders(path)) if (!byFolded.has(foldName(part))) byFolded.set(foldName(part), part);
  }
  return {
    with: (path) => {
      for (const part of withFolders(path)) {
        const other = byFolded.get(foldName(part));
        if (other !== undefined && other !== part) return other;
        byFolded.set(foldName(part), part);
      }
      return null;
    },
  };
}

function withFolders(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** The contents that an observation names. */
export function listContentIds({ worktree, git }: Observation): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const manifest of [worktree, git]) for (const { id } of manifest.values()) if (id !== null) ids.add(id);
  return ids;
}
