import type { Change } from "../../records/evidence.ts";

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
