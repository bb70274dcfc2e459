import { closeSync, fsyncSync, lstatSync, openSync } from "node:fs";
import { joinBytes } from "./byte-path.ts";
import { readErrorCode } from "./read-files.ts";
import { runOnPaths } from "./run-on-paths.ts";

/**
 * Syncs a file or a folder by its name; without the latter, a power cut can undo a rename. Some file systems cannot sync
 * a folder and keep the order by themselves.
 */
export function syncNow(path: string | Buffer): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!isUnable(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

function isUnable(error: unknown): boolean {
  return ["EINVAL", "ENOTSUP"].includes(readErrorCode(error) ?? "");
}

/** More than so many wait for the disk longer than everything that is not written yet. */
const EACH_MAX = 64;

/**
 * Returns once these entries of a folder are on the disk: bytes, modes and names. Paths are byte strings; one that is
 * gone counts by the folder that it was in.
 */
export function syncEntries(folder: string, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const above = paths.filter((path) => path !== "").map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/"))));
  const all = new Set([...paths, ...above.toSorted((one, other) => other.length - one.length)]);
  if (all.size > EACH_MAX && runOnPaths(["sync", "-f", "--"], [joinBytes(folder, "")]) === null) return;
  for (const path of all) syncEntry(joinBytes(folder, path));
}

/** A link has only its name, and so has what its mode forbids to open: the sync of the folder keeps that. */
function syncEntry(absolute: Buffer): void {
  try {
    const stats = lstatSync(absolute);
    if (stats.isFile() || stats.isDirectory()) syncNow(absolute);
  } catch (error) {
    if (!UNREACHABLE.has(readErrorCode(error))) throw error;
  }
}

const UNREACHABLE: ReadonlySet<string | null> = new Set(["EACCES", "EPERM", "ENOENT", "ENOTDIR"]);
