import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { nameTemporary } from "./atomic-file.ts";
import { removeQuietly } from "./remove-quietly.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

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
