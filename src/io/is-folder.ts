import { lstatSync } from "node:fs";

/** Whether there is a real folder at the path; a link to one is none. */
export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
