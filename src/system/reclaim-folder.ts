import { lstatSync, realpathSync, renameSync, statSync, unlinkSync } from "node:fs";
import type { Entry } from "../base/manifest.ts";
import { readErrorCode } from "./read-files.ts";

/**
 * Moves a folder back that was moved elsewhere with a link left in its place.
 *
 * Only if the link leads to exactly the observed folder, so that nothing of anybody else is taken. Otherwise the entry
 * is left for the restoration, which makes a new folder.
 */
export function reclaimFolder(path: string, observed: Entry | undefined): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (observed === undefined || entry === undefined || !entry.isSymbolicLink()) return;
  try {
    const { ino, dev } = statSync(path, { bigint: true });
    const isObserved = observed.stamp.slice(0, observed.stamp.indexOf(":")) === String(ino);
    if (!isObserved || dev !== BigInt(entry.dev)) return;
    const place = realpathSync(path);
    unlinkSync(path);
    renameSync(place, path);
  } catch (error) {
    // A link that leads nowhere.
    if (readErrorCode(error) !== "ENOENT" && readErrorCode(error) !== "ELOOP") throw error;
  }
}
