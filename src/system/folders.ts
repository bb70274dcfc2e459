import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { readErrorCode } from "./read-files.ts";

/**
 * Makes a folder and its missing parents; an existing one stays as it is.
 *
 * Node's own recursive mkdir never returns on a file system that calls the parent of every new name missing, as /proc
 * does, and it is deaf to signals then. Here each folder is tried once.
 */
export function makeFolders(path: string | Buffer, mode = 0o777): void {
  // As latin1 each byte is one character, so that a name need not be text.
  const bytes = typeof path === "string" ? Buffer.from(path) : path;
  for (const folder of listMissing(bytes.toString("latin1"))) {
    const name = Buffer.from(folder, "latin1");
    try {
      mkdirSync(name, { mode });
    } catch (error) {
      if (readErrorCode(error) === "EEXIST" && isFolderThere(name)) continue; // Somebody else made it meanwhile.
      throw error;
    }
  }
}

function listMissing(path: string): readonly string[] {
  const missing: string[] = [];
  for (let at = path; !isFolderThere(Buffer.from(at, "latin1")); at = dirname(at)) {
    missing.unshift(at);
    if (dirname(at) === at) break;
  }
  return missing;
}

function isFolderThere(path: Buffer): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (readErrorCode(error) === "ENOENT" || readErrorCode(error) === "ENOTDIR") return false;
    throw error;
  }
}
