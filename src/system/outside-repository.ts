/**
 * Whether a program lies outside of the repositories that are worked on. One inside may be part of the change that is
 * judged.
 */
import { lstatSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";

/** Whether a file lies outside of the repository around a folder, by every name that it has. */
export function isOutsideRepository(file: string, cwd: string): boolean {
  const root = findRepositoryAround(cwd);
  return root === null || isOutside(file, [root]);
}

/** The PATH without folders of the repository around `cwd`, for programs that are started for a person. */
export function dropInsideFolders(path: string, cwd: string): string {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && isFolderOutside(folder, cwd));
  return folders.join(delimiter);
}

function isFolderOutside(folder: string, cwd: string): boolean {
  const root = findRepositoryAround(cwd);
  const places = [folder, resolveReal(folder) ?? folder];
  return root === null || places.every((place) => !`${place}${sep}`.startsWith(root));
}

/** Its name, the real path of its folder, and its own real path: each of them could be part of the change. */
export function isOutside(file: string, roots: readonly string[]): boolean {
  const places = [file, resolveReal(dirname(file)), resolveReal(file)];
  return places.every((place) => place !== null && !roots.some((root) => place.startsWith(root)));
}

/** The nearest folder upwards with a `.git`, ending with a separator. The root of the file system excludes nothing. */
export function findRepositoryAround(cwd: string): string | null {
  for (let folder = resolveReal(cwd); folder !== null && folder !== dirname(folder); folder = dirname(folder)) {
    if (exists(join(folder, ".git"))) return `${folder}${sep}`;
  }
  return null;
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

export function resolveReal(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
