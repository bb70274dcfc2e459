import type { Entry, Manifest } from "../../contract/evidence/manifest.ts";

/** One entry that is not the same in two manifests. */
export interface Difference {
  readonly path: string;
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/**
 * The entries that differ in what a repository is made of: type, mode, owner, content, link text.
 *
 * Times are left out. So are link counts that only grew or shrank around the same content: the judge looks at those of
 * entries that are listed for another reason, and at new ones.
 */
export function compareManifests(before: Manifest, after: Manifest): readonly Difference[] {
  return pair(before, after).filter(({ before: was, after: is }) => !isSame(was, is));
}

/** As `compareManifests`, and the entries whose only difference is a time or a link count. */
export function compareStamps(before: Manifest, after: Manifest): readonly Difference[] {
  return pair(before, after).filter(({ before: was, after: is }) => !isSame(was, is) || !isUntouched(was, is));
}

/**
 * The paths of entries that were touched in a way that no comparison shows: only the time of their last change differs.
 *
 * That is what setting an extended attribute or an immutable flag leaves, and also a move or a mode that was undone.
 */
export function listTouchedPaths(before: Manifest, after: Manifest): readonly string[] {
  return pair(before, after)
    .filter(({ before: was, after: is }) => was !== null && is !== null && isOnlyTouched(was, is))
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
    isSame(was, is)
  );
}

function pair(before: Manifest, after: Manifest): readonly Difference[] {
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

function isSame(was: Entry | null, is: Entry | null): boolean {
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
  if (was.type === "directory") return mtime(was) === mtime(is);
  return was.hardLinks === is.hardLinks && mtime(was) === mtime(is);
}

function mtime(entry: Entry): string | undefined {
  return entry.stamp.split(":")[1];
}
