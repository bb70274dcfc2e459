import { readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { readErrorCode } from "./read-files.ts";

/** The names of the real folders in a folder, sorted; links do not count, and a missing folder holds none. */
export async function listFolders(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted();
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The names of everything in a folder, sorted; none where it is no folder or may not be read. */
export function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(readErrorCode(error) ?? "")) return [];
    throw error;
  }
}
