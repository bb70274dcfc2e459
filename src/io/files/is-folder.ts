import { lstatSync } from "node:fs";

/** Whether a folder is there; a link to one is not one. */
export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
