/** Whether a worktree can be copied, and what that costs. */
import { constants, copyFileSync, existsSync, mkdtempSync, statfsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import type { Entry } from "../base/manifest.ts";
import { readErrorCode } from "../system/read-files.ts";
import { toBytePath } from "../system/byte-path.ts";
import { beginOwnName } from "../system/own-folders.ts";
import { removeTree } from "../system/remove-files.ts";
import { walk } from "../system/walk.ts";

export interface TreeSurvey {
  readonly entries: number;
  readonly bytes: number;
  /** Why a copy at another path is not the same; null where it is. Names as byte strings. */
  readonly obstacle: TreeObstacle | null;
}

export interface TreeObstacle {
  readonly kind: "outer_git_data" | "outer_link" | "link_to_original" | "virtual_environment";
  readonly path: string;
}

export function surveyTree(root: string): TreeSurvey {
  const { manifest } = walk({ folder: toBytePath(root), earlier: null, skipTopLevel: isGitFolder, force: false });
  let bytes = 0;
  let obstacle: TreeObstacle | null = null;
  for (const [path, entry] of manifest) {
    bytes += entry.type === "file" ? entry.size : 0;
    const kind: TreeObstacle["kind"] | null = obstacle === null ? findObstacle(toBytePath(root), path, entry) : null;
    if (kind !== null) obstacle = { kind, path };
  }
  return { entries: manifest.size, bytes, obstacle };
}

function findObstacle(root: string, path: string, { type, target }: Entry): TreeObstacle["kind"] | null {
  if (target !== null) return findLinkObstacle(root, path, target);
  // A submodule or a linked worktree: its git data lies elsewhere.
  if (type === "file" && path.endsWith("/.git")) return "outer_git_data";
  // Its programs name their own path, so they would run with the packages, and often on the sources, of the original.
  return type === "file" && path.endsWith("/pyvenv.cfg") ? "virtual_environment" : null;
}

function isGitFolder(name: string): boolean {
  return name === ".git";
}

/** An absolute link out of the worktree leads to the same place from everywhere. */
function findLinkObstacle(root: string, path: string, target: string): TreeObstacle["kind"] | null {
  const isAbsolute = target.startsWith("/");
  const aim = isAbsolute ? posix.normalize(target) : posix.join(root, posix.dirname(path), target);
  const isInside = aim === root || aim.startsWith(`${root}/`);
  if (isAbsolute) return isInside ? "link_to_original" : null;
  return isInside ? null : "outer_link";
}

export function countFreeBytes(target: string): number {
  const { bavail, bsize } = statfsSync(findExisting(target));
  return bavail * bsize;
}

/** Whether the file system shares content between the worktree and copies elsewhere. Tried with a file, because the name of a file system says little. */
export function canShareContent(root: string, target: string): boolean {
  const folder = mkdtempSync(join(findExisting(target), beginOwnName()));
  try {
    const file = join(root, ".git");
    const source = existsSync(join(file, "HEAD")) ? join(file, "HEAD") : file;
    copyFileSync(source, join(folder, "copy"), constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch (error) {
    if (readErrorCode(error) === null) throw error;
    return false;
  } finally {
    removeTree(Buffer.from(folder));
  }
}

/** The folder may not be made yet. */
function findExisting(folder: string): string {
  return existsSync(folder) ? folder : findExisting(dirname(folder));
}
