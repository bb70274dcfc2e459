/**
 * Paths that git and relais have to write in a repository and this user cannot.
 *
 * After one command as root, folders among the objects belong to root, and the next commit of the person fails.
 */
import { accessSync, constants, lstatSync } from "node:fs";
import { join } from "node:path";
import { readErrorCode } from "../system/error-code.ts";
import { listNames } from "../system/list-folders.ts";
import type { Repository } from "./repository-layout.ts";

const OBJECT_FOLDER = /^[0-9a-f]{2}$/;

/** Existing folders and files that this user cannot write; `more` are paths of relais itself. */
export function listUnwritablePlaces(
  { root, gitDir, commonDir }: Pick<Repository, "root" | "gitDir" | "commonDir">,
  more: readonly string[],
): readonly string[] {
  const objects = join(commonDir, "objects");
  const places = [
    root,
    gitDir,
    join(gitDir, "index"),
    join(gitDir, "HEAD"),
    objects,
    ...listNames(objects)
      .filter((name) => OBJECT_FOLDER.test(name))
      .map((name) => join(objects, name)),
    join(commonDir, "refs/heads"),
    ...more,
    ...more.flatMap((folder) => listNames(folder).map((name) => join(folder, name))),
  ];
  return [...new Set(places)].filter((place) => !isWritable(place));
}

/** A folder takes new entries; a file is replaced, so nobody has to write into it, but it has to be read. */
function isWritable(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined || entry.isSymbolicLink()) return true;
  try {
    accessSync(path, entry.isDirectory() ? constants.W_OK | constants.X_OK : constants.R_OK);
    return true;
  } catch (error) {
    if (["EACCES", "EROFS", "EPERM"].includes(readErrorCode(error) ?? "")) return false;
    throw error;
  }
}
