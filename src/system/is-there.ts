import { lstatSync } from "node:fs";

/** Whether there is any entry, a link that leads nowhere included. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
