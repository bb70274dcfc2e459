import { rmSync, readdirSync, rmdirSync, unlinkSync, cpSync, lstatSync, mkdirSync } from "node:fs";
import { readErrorCode } from "./read-files.ts";
import { dirname, join, relative } from "node:path";

/** Removes a file of our own synchronously; it may be missing. */
export function removeFile(path: string | Buffer): void {
  rmSync(path, { force: true });
}

/** Removes a folder of relais itself with everything in it, or a file. Node's own way asks about each entry twice. */
export function removeFolder(path: string): void {
  try {
    removeContent(path);
  } catch {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 }); // It is no folder, it is gone, or it is in use.
  }
}

function removeContent(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) removeContent(path);
    else unlinkSync(path);
  }
  rmdirSync(folder);
}

/** Removes a folder that holds nothing. One with entries stays, and it may be missing. */
export function removeEmptyFolder(absolute: Buffer): void {
  try {
    rmdirSync(absolute);
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(readErrorCode(error) ?? "")) throw error;
  }
}

/** Moves a folder, perhaps to another disk; false where there is no folder. */
export function setFolderAside(folder: string, place: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  cpSync(folder, place, { recursive: true, verbatimSymlinks: true });
  rmSync(folder, { recursive: true });
  return true;
}

/** Removes half-written files directly in a folder. Folders and links are left alone. */
export function removeStaleFiles(
  root: string,
  folder: string /** Decides by the path relative to the root. */,
  isStale: (path: string) => boolean,
): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && isStale(relative(root, path))) rmSync(path, { force: true });
  }
}
