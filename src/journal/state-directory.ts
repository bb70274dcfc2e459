/**
 * The state directory: data that must survive a builder that deletes or forges everything in the repository.
 *
 * It lies outside the repository and is named for the common git directory, so that linked worktrees share it, and with
 * it the lock.
 */
import { hash } from "node:crypto";
import { chmodSync, lstatSync, renameSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { describeError } from "../base/errors.ts";
import { readClockMs } from "../system/clock.ts";
import { withHome } from "../system/with-home.ts";
import { makeFolders } from "../system/folders.ts";
import type { Repository } from "../git/repository-layout.ts";

export type StateDirectory =
  | { readonly kind: "ready"; readonly path: string; readonly lockPath: string }
  | { readonly kind: "unusable"; readonly path: string; readonly reason: string };

/** Finds the state directory of a repository and makes it, readable by its owner alone. */
export function openStateDirectory(repository: Repository, environment: Environment): StateDirectory {
  const found = findStateDirectory(repository, environment);
  if (found.kind === "unusable") return found;
  const { path } = found;
  try {
    makeFolders(path, 0o700);
    const stats = lstatSync(path);
    if (!stats.isDirectory()) return { kind: "unusable", path, reason: "it is not a folder" };
    if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o700);
    tightenRoot(dirname(path));
    return found;
  } catch (error) {
    return { kind: "unusable", path, reason: describeError(error) };
  }
}

/** A user who can write into the parent could replace the folder. A parent of another user is left alone. */
function tightenRoot(root: string): void {
  const { mode, uid } = lstatSync(root);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(root, 0o700);
}

/** Makes the state directory again if somebody removed it while it was in use. Another entry there is set aside. */
export function reclaimStateDirectory(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isDirectory()) renameSync(path, `${path}.damaged-${readClockMs()}`);
  makeFolders(path, 0o700);
  chmodSync(path, 0o700);
}

/** Locates the state directory for readers: nothing is made, and it need not exist yet. */
export function findStateDirectory(repository: Repository, environment: Environment): StateDirectory {
  const path = join(locateStateRoot(environment), nameState(repository.commonDir));
  if (isInside(path, repository.root) || isInside(path, repository.commonDir)) {
    return {
      kind: "unusable",
      path,
      reason: "it lies inside the repository; set XDG_STATE_HOME to a folder outside",
    };
  }
  return { kind: "ready", path, lockPath: join(path, "lock.json") };
}

/** The folder that holds the state directories of all repositories of a user. */
export function locateStateRoot(environment: Environment): string {
  const configured = environment["XDG_STATE_HOME"] ?? "";
  // A relative path is to be ignored, says the specification of these variables.
  const home = isAbsolute(configured) ? configured : join(withHome(environment)["HOME"] ?? "/", ".local", "state");
  return join(home, "relais");
}

/** A readable part for people, and a hash of the whole path so that two repositories never share one. */
function nameState(commonDir: string): string {
  const folder = basename(commonDir) === ".git" ? basename(dirname(commonDir)) : basename(commonDir);
  const readable = folder.replaceAll(/[^A-Za-z0-9._-]/g, "_").slice(0, 40);
  return `${readable}-${hash("sha256", commonDir).slice(0, 16)}`;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
