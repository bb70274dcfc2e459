import { cpSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** Moves a folder, perhaps to another disk; false where there is no folder. */
export function setFolderAside(folder: string, place: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  cpSync(folder, place, { recursive: true, verbatimSymlinks: true });
  rmSync(folder, { recursive: true });
  return true;
}
