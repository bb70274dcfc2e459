import type { Manifest } from "../../contract/evidence/manifest.ts";
import { compareManifests, type Difference } from "./compare-manifests.ts";

/**
 * What changed in a worktree, as the judge wants it listed.
 *
 * A folder is listed only for its own sake: when it came or went empty, or its mode or owner changed; otherwise the
 * entries below it tell the story. A file that gained a hard link is listed although its content is the same, because
 * whoever holds the other name can change it later.
 */
export function listWorktreeChanges(before: Manifest, after: Manifest): readonly Difference[] {
  const differences = compareManifests(before, after);
  const populatedBefore = foldersWithEntries(before, differences);
  const populatedAfter = foldersWithEntries(after, differences);
  const listed = differences.filter(({ path, before: was, after: is }) => {
    if (was === null) return is?.type !== "directory" || !populatedAfter.has(path);
    if (is === null) return was.type !== "directory" || !populatedBefore.has(path);
    return true;
  });
  return [...listed, ...listNewLinks(before, after, new Set(differences.map(({ path }) => path)))];
}

/** Of the folders that came or went, those that hold something on this side. */
function foldersWithEntries(manifest: Manifest, differences: readonly Difference[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of differences) {
    if (!manifest.has(path)) continue;
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (path !== "") folders.add(parent);
  }
  return folders;
}

/** The files that gained a hard link and are not listed for another reason. */
export function listNewLinks(before: Manifest, after: Manifest, listed: ReadonlySet<string>): readonly Difference[] {
  const links: Difference[] = [];
  for (const [path, is] of after) {
    const was = before.get(path);
    if (was === undefined || was === is || listed.has(path)) continue;
    if (is.type === "file" && is.hardLinks > was.hardLinks) links.push({ path, before: was, after: is });
  }
  return links;
}

/** The folders, other than the root, that are repositories of their own. */
export function listNestedRepositories(...manifests: readonly Manifest[]): readonly string[] {
  const roots = new Set<string>();
  for (const manifest of manifests) {
    for (const path of manifest.keys()) {
      if (path.endsWith("/.git")) roots.add(path.slice(0, -"/.git".length));
      const folder = path.endsWith("/HEAD") ? path.slice(0, -"/HEAD".length) : null;
      if (folder !== null && isBare(manifest, folder)) roots.add(folder);
    }
  }
  return [...roots].toSorted();
}

/** Git takes such a folder for a repository, and does what its configuration says, wherever it lies. */
function isBare(manifest: Manifest, folder: string): boolean {
  return manifest.has(`${folder}/objects`) && manifest.has(`${folder}/refs`);
}
