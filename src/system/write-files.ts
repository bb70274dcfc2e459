import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  renameSync,
  writeSync,
  cpSync,
  lstatSync,
  mkdirSync,
  writeFileSync,
} from "node:fs";
import { nameTemporary } from "./atomic-file.ts";
import { removeQuietly } from "./remove-quietly.ts";
import { join } from "node:path";
import { removeTree } from "./remove-files.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW } = constants;

/** Writes all of the data; one call of the system may take only a part of it. */
export function writeFully(file: number, data: Buffer): void {
  for (let written = 0; written < data.length;) written += writeSync(file, data, written);
}

/** Replaces a file synchronously, complete or not at all. A link in its place is not followed. */
export function writeNow(path: string, text: string, mode = 0o644): void {
  const temporary = nameTemporary(path);
  const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    writeFully(file, Buffer.from(text));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/**
 * Copies a file or folder to a path below a folder. Whatever stands there goes, and so does everything but a folder
 * above it: no link on the way is followed.
 */
export function copyInto(folder: string, path: string, source: string): void {
  const names = path.split("/");
  let at = folder;
  for (const name of names.slice(0, -1)) {
    at = join(at, name);
    const entry = lstatSync(at, { throwIfNoEntry: false });
    if (entry !== undefined && !entry.isDirectory()) removeTree(Buffer.from(at));
    if (entry?.isDirectory() !== true) mkdirSync(at);
  }
  const target = join(folder, path);
  removeTree(Buffer.from(target));
  cpSync(source, target, { recursive: true, dereference: true });
}

/** Removes what lies at a path below a folder, if only folders are above it. */
export function removeFrom(folder: string, path: string): void {
  const names = path.split("/");
  const above = names.slice(0, -1).map((_, at) => join(folder, ...names.slice(0, at + 1)));
  if (above.every((one) => lstatSync(one, { throwIfNoEntry: false })?.isDirectory() === true))
    removeTree(Buffer.from(join(folder, path)));
}

/** Adds to the end of a file that only its owner may read, and never through a link. */
export async function appendText(path: string, text: string): Promise<void> {
  const file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
