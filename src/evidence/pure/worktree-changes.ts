import type { Manifest } from "../../base/manifest.ts";
import { compareManifests, type Difference } from "./compare-manifests.ts";

/**
 * The changes of a worktree, as the judge needs them. A folder is listed only if it came or went empty, or if its mode
 * or owner changed. A file that gained a hard link is listed although its content is the same, because it can change
 * later through the other name.
 */
export function listWorktreeChanges(before: Manifest, after: Manifest): readonly Difference[] {
  const differences = compareManifests(before, after);
  const populatedBefore = listFoldersWithEntries(before, differences);
  const populatedAfter = listFoldersWithEntries(after, differences);
  const listed = differences.filter(({ path, before: was, after: is }) => {
    if (was === null) return is?.type !== "directory" || !populatedAfter.has(path);
    if (is === null) return was.type !== "directory" || !populatedBefore.has(path);
    return true;
  });
  return [...listed, ...listNewLinks(before, after, new Set(differences.map(({ path }) => path)))];
}

/** The changed folders that have entries on this side. */
function listFoldersWithEntries(manifest: Manifest, differences: readonly Difference[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of differences) {
    if (!manifest.has(path)) continue;
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (path !== "") folders.add(parent);
  }
  return folders;
}

export function listNewLinks(before: Manifest, after: Manifest, listed: ReadonlySet<string>): readonly Difference[] {
  const links: Difference[] = [];
  for (const [path, is] of after) {
    const was = before.get(path);
    if (was === undefined || was === is || listed.has(path)) continue;
    if (is.type === "file" && is.hardLinks > was.hardLinks) links.push({ path, before: was, after: is });
  }
  return links;
}

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

/** Git treats such a folder as a repository and obeys its configuration. */
function isBare(manifest: Manifest, folder: string): boolean {
  return manifest.has(`${folder}/objects`) && manifest.has(`${folder}/refs`);
}
