import { lstatSync } from "node:fs";

/** Whether a regular file is there; a link to one is not one. */
export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
