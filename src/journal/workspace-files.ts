/**
 * Makes a workspace without ever replacing anything.
 *
 * Folders are made one by one and a link in the way is refused, because a file behind it would land somewhere else.
 * Files are created under free names; an existing one stays as it is.
 */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeComplete } from "../system/atomic-file.ts";
import { readErrorCode } from "../system/read-files.ts";

/** Of the path itself, not of the target of a link. */
type EntryKind = "missing" | "file" | "folder" | "link" | "other";

async function readEntryKind(path: string): Promise<EntryKind> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return "link";
    if (stats.isDirectory()) return "folder";
    return stats.isFile() ? "file" : "other";
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(readErrorCode(error) ?? "")) return "missing";
    throw error;
  }
}

/** The first entry on the way from `root` to `folder` that is no folder; null where the way is free. */
export async function findObstacle(root: string, folder: string) {
  const parts = folder.split("/");
  for (let length = 1; length <= parts.length; length += 1) {
    const path = parts.slice(0, length).join("/");
    const kind = await readEntryKind(join(root, path));
    if (kind === "missing") return null;
    if (kind !== "folder") return { path, kind };
  }
  return null;
}

/** Creates a file, complete or not at all, unless the path is taken. */
export async function createFile(path: string, text: string): Promise<"written" | "kept"> {
  try {
    await writeComplete(path, text, 0o644);
    return "written";
  } catch (error) {
    if (readErrorCode(error) === "EEXIST") return "kept";
    throw error;
  }
}

/** The names of the ordinary files and of the folders in a folder; links are neither. */
export async function listFolder(path: string) {
  const entries = await readdir(path, { withFileTypes: true });
  return {
    files: new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name)),
    folders: new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)),
  };
}
