import type { Entry, Manifest } from "../base/manifest.ts";
import { identifyFiles } from "../store/content-store.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { Repository } from "../git/repository-layout.ts";
import { walk, type WalkRequest } from "../system/walk.ts";
import { isIndexPart } from "./index-changes.ts";
import { findOwnGitPrefix } from "./pure/own-git-prefix.ts";

/** Folders without any say in what HEAD, the refs, the index and the ignore rules are. */
const OTHERS: ReadonlySet<string> = new Set(["objects", "logs", "hooks", "lfs", "modules", "annex", "rr-cache"]);
/** Any known id makes a file be read. */
const ANY_ID = "";

/**
 * The part of git's own data that tells tracked from untracked, for a place where nobody can change it. Nothing is
 * stored: it is read where it lies. Files that an earlier look proves unchanged keep their ids.
 */
export function observeGitData(repository: Repository, earlier: WalkRequest["earlier"] = null): Manifest {
  const folder = toBytePath(repository.commonDir);
  const own = findOwnGitPrefix(repository);
  const select = (inside: string, names: readonly string[]): readonly string[] => {
    if (inside === "") return names.filter((name) => !OTHERS.has(name));
    return inside === "worktrees" ? names.filter((name) => own === `worktrees/${name}/`) : names;
  };
  const { manifest, unread } = walk({ folder, earlier, skipTopLevel: () => false, select, force: false });
  const isWanted = (path: string): boolean =>
    path === `${own}HEAD` || path === "packed-refs" || path.startsWith("refs/") || isOwnIndex(path) || isExclude(path);
  const isOwnIndex = (path: string): boolean => path.startsWith(own) && isIndexPart(path);
  const files = unread.filter(isWanted).flatMap((path) => listFile(folder, manifest, path));
  const learnt = identifyFiles(files, false);
  for (const [at, { path, entry }] of files.entries()) manifest.set(path, { ...entry, id: learnt[at]?.id ?? null });
  return manifest;
}

function isExclude(path: string): boolean {
  return path === "info/exclude";
}

function listFile(folder: string, manifest: Manifest, path: string) {
  const entry: Entry | undefined = manifest.get(path);
  return entry === undefined ? [] : [{ folder, path, entry, knownId: ANY_ID }];
}
