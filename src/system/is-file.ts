import { lstatSync } from "node:fs";

/** A link to a file is none. */
export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
