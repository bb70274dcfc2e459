/**
 * A private copy of a folder that cannot be an overlay.
 *
 * An ordinary user cannot lay an overlay over a folder that has something mounted in it. So the folder is made anew: with
 * copies of its small files, an overlay for each folder in it, and read-only what holds a mount or is too large to copy.
 */
import {
  copyFileSync,
  type Dirent,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isWithin } from "./is-within.ts";

export interface SplitFolder {
  readonly path: string;
  /** The folder to show in its place. */
  readonly source: string;
  readonly overlays: readonly string[];
  readonly readOnly: readonly string[];
}

const COPIED_BYTES_MAX = 4 * 1024 * 1024;

/** Whether the folder has a mount in it that an ordinary user cannot leave out. */
export function hasMounts(folder: string, mountPoints: readonly string[]): boolean {
  return process.getuid?.() !== 0 && mountPoints.some((point) => point !== folder && isWithin(point, folder));
}

/** Makes the folder anew at `source`, which must not exist. */
export function splitFolder(path: string, source: string, mountPoints: readonly string[]): SplitFolder {
  mkdirSync(source, { mode: 0o700 });
  const overlays: string[] = [];
  const readOnly: string[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    const kind = remake(entry, inner, join(source, entry.name));
    if (kind === "folder" && !isWithinAny(inner, mountPoints)) overlays.push(inner);
    else if (kind !== "done") readOnly.push(inner);
  }
  return { path, source, overlays, readOnly };
}

const isWithinAny = (folder: string, points: readonly string[]): boolean =>
  points.some((point) => isWithin(point, folder));

/** Sockets and the like are left out, and so is what may not be read. */
function remake(entry: Dirent, from: string, to: string): "folder" | "large" | "done" {
  try {
    if (entry.isDirectory()) {
      mkdirSync(to, { mode: 0o700 });
      return "folder";
    }
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    if (!entry.isFile()) return "done";
    if (statSync(from).size > COPIED_BYTES_MAX) {
      writeFileSync(to, "");
      return "large";
    }
    copyFileSync(from, to);
  } catch {
    return "done";
  }
  return "done";
}
