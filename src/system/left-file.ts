/**
 * Files at a path that a session was given, read and removed safely.
 *
 * The session may have put anything in the way: a link in place of the file or of a folder above it, a pipe, a folder.
 * So every step from the root down is checked, and nothing is read or removed through a link.
 */
import { lstatSync, rmdirSync, type Stats, unlinkSync } from "node:fs";
import { join } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import { type BoundedRead, readBounded, type ReadRefusal } from "./bounded-file.ts";
import { toBytePath } from "./byte-path.ts";
import { readErrorCode } from "./read-files.ts";
import { liftPermissionsAround } from "./lift-permissions.ts";

/** A place below a root that is itself a real path. The parts are separated by single slashes. */
export interface LeftPlace {
  readonly root: string;
  readonly path: string;
}

export type LeftFile =
  Exclude<BoundedRead, ReadRefusal> | { readonly kind: "refused"; readonly reason: ReadRefusal["why"] };

type LeftEntry =
  { readonly kind: "entry"; readonly stats: Stats } | { readonly kind: "missing" | "linked" | "unreadable" };

/** Nothing is found behind a link. */
function find({ root, path }: LeftPlace): LeftEntry {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = readEntry(join(root, ...parts.slice(0, depth)));
    if (above.kind !== "entry") return above;
    if (above.stats.isSymbolicLink()) return { kind: "linked" };
    if (!above.stats.isDirectory()) return { kind: "missing" };
  }
  return readEntry(join(root, path));
}

/** As `find`, after the folders on the way were opened if somebody had closed them. */
export async function findOpened(place: LeftPlace): Promise<LeftEntry> {
  const found = find(place);
  if (found.kind !== "unreadable") return found;
  liftPermissionsAround(toBytePath(place.root))(toBytePath(place.path), (absolute) => {
    lstatSync(absolute, { throwIfNoEntry: false });
  });
  return find(place);
}

/** Whether the path is free and its folder exists. */
export async function isVacant({ root, path }: LeftPlace): Promise<boolean> {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const above = folder === "" ? readEntry(root) : find({ root, path: folder });
  if (above.kind !== "entry" || !above.stats.isDirectory()) return false;
  return find({ root, path }).kind === "missing";
}

function readEntry(path: string): LeftEntry {
  try {
    return { kind: "entry", stats: lstatSync(path) };
  } catch (error) {
    const code = readErrorCode(error) ?? "";
    if (["ENOENT", "ENOTDIR"].includes(code)) return { kind: "missing" };
    if (["EACCES", "EPERM"].includes(code)) return { kind: "unreadable" };
    throw error;
  }
}

/** Reads an ordinary file of no more than `bytesMax`; each other kind of entry has its own reason. */
export async function readLeftFile(place: LeftPlace, bytesMax: number): Promise<LeftFile> {
  const found = find(place);
  if (found.kind === "missing") return { kind: "missing" };
  if (found.kind !== "entry") return { kind: "refused", reason: found.kind === "linked" ? "link" : "unreadable" };
  const { stats } = found;
  if (stats.isSymbolicLink()) return { kind: "refused", reason: "link" };
  if (stats.isDirectory()) return { kind: "refused", reason: "folder" };
  if (!stats.isFile()) return { kind: "refused", reason: "special" };
  if (stats.size > bytesMax) return { kind: "refused", reason: "too_large" };
  const read = await readBounded(join(place.root, place.path), bytesMax);
  return read.kind === "refused" ? { kind: "refused", reason: "unreadable" } : read;
}

/** Removes the entry, but never a folder and nothing behind a link. */
export async function removeLeftFile(place: LeftPlace): Promise<void> {
  const found = await findOpened(place);
  if (found.kind !== "entry" || found.stats.isDirectory()) return;
  liftPermissionsAround(toBytePath(place.root))(toBytePath(place.path), unlinkIfThere);
}

function unlinkIfThere(absolute: Buffer): void {
  try {
    unlinkSync(absolute);
  } catch (error) {
    if (readErrorCode(error) !== "ENOENT") throw error;
  }
}

/** The folders above the place that do not exist, outermost first. A link or a file among them is an error. */
export async function listMissingFolders({ root, path }: LeftPlace): Promise<readonly string[]> {
  const parts = path.split("/");
  const missing: string[] = [];
  for (let depth = 1; depth < parts.length; depth += 1) {
    const folder = parts.slice(0, depth).join("/");
    const found = readEntry(join(root, folder));
    if (found.kind === "missing") missing.push(folder);
    else if (found.kind !== "entry" || !found.stats.isDirectory())
      throw new MeasurementError(join(root, folder), "it is not a folder that can be entered");
  }
  return missing;
}

export async function removeEmptyFolders(root: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) {
    const found = find({ root, path: folder });
    if (found.kind !== "entry" || !found.stats.isDirectory()) continue;
    try {
      rmdirSync(join(root, folder));
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "ENOENT", "EACCES", "EPERM"].includes(readErrorCode(error) ?? "")) throw error;
    }
  }
}
