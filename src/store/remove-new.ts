/**
 * Removes everything below a folder that an earlier manifest does not know.
 *
 * A builder may leave more new entries than anybody should list: here none of them is kept in memory. Folders that were
 * there before are entered, new ones are removed whole, and no link is followed. Nothing is restored or proven: the
 * rollback does that afterwards, and then has little left to do.
 */
import { accessSync, constants, lstatSync, opendirSync } from "node:fs";
import type { Manifest } from "../base/manifest.ts";
import { joinBytes } from "../system/byte-path.ts";
import { liftPermissionsAround } from "../system/lift-permissions.ts";
import { removeTrees } from "../system/remove-files.ts";

/** Few enough names for one call of `rm`, many enough to save calls. */
const BATCH_MAX = 1_000;
/** How many names are read at once. */
const NAMES_READ = 1_024;

export interface NewEntries {
  /** As a byte string. */
  readonly folder: string;
  readonly earlier: Manifest;
  /** Whether a new entry stays, with everything below it. */
  readonly isSpared: (path: string) => boolean;
}

export function removeNew(request: NewEntries): void {
  const { folder, earlier } = request;
  const lift = liftPermissionsAround(folder);
  const pending = [""];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const at = path;
    if (earlier.get(at)?.type !== "directory" || !isFolderNow(joinBytes(folder, at))) continue;
    try {
      // Of an entry in the folder, so that the folder itself is opened too.
      lift(at === "" ? "." : `${at}/.`, () => pending.push(...clearFolder(request, at)));
    } catch {
      // The rollback meets the same obstacle, and names it.
    }
  }
}

/** Removes the new entries of one folder; answers with the known ones. */
function clearFolder({ folder, earlier, isSpared }: NewEntries, at: string): readonly string[] {
  const absolute = joinBytes(folder, at);
  accessSync(absolute, constants.R_OK | constants.W_OK | constants.X_OK);
  const known: string[] = [];
  let batch: Buffer[] = [];
  const entries = opendirSync(absolute, { encoding: "latin1", bufferSize: NAMES_READ });
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (earlier.has(path)) known.push(path);
      else if (!isSpared(path)) batch.push(joinBytes(folder, path));
      if (batch.length < BATCH_MAX) continue;
      removeTrees(batch);
      batch = [];
    }
  } finally {
    entries.closeSync();
  }
  if (batch.length > 0) removeTrees(batch);
  return known;
}

/** By lstat: what lies behind a link that took the place of a folder is not ours. */
function isFolderNow(absolute: Buffer): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
}
