/** Large files of the content store: copied whole, by a clone where the file system can, under their blob id. */
import { removeQuietly } from "../system/remove-quietly.ts";
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { describeError, MeasurementError } from "../base/errors.ts";
import { joinBytes } from "../system/byte-path.ts";
import { type FileToRead, withStableFile } from "../system/read-stable.ts";

const CHUNK_BYTES = 1024 * 1024;

/** Copies a file into the folder under its id, and proves that it did not change while it was copied. */
export function keepLarge(folder: string, file: FileToRead, force: boolean): { id: string; forced: boolean } {
  const copy = join(folder, `.${randomBytes(8).toString("hex")}.tmp`);
  try {
    const { forced } = withStableFile(file, force, () =>
      copyFileSync(joinBytes(file.folder, file.path), copy, constants.COPYFILE_FICLONE),
    );
    const id = computeFileBlobId(copy, file.entry.size);
    if (existsSync(join(folder, id))) rmSync(copy);
    else renameSync(copy, join(folder, id));
    return { id, forced };
  } catch (error) {
    removeQuietly(copy);
    if (error instanceof MeasurementError) throw error;
    throw new MeasurementError(`copy of ${file.path}`, describeError(error));
  }
}

/** The id of a file where it lies, without a copy, and proof that it did not change while it was read. */
export function computeLargeId(file: FileToRead, force: boolean): { id: string; forced: boolean } {
  const hash = (descriptor: number): string => hashDescriptor(descriptor, file.entry.size);
  const { answer: id, forced } = withStableFile(file, force, hash);
  return { id, forced };
}

/** Hashes a file of the store as git would, in constant memory, and makes sure that it is on disk. */
export function computeFileBlobId(path: string, size: number): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const id = hashDescriptor(descriptor, size);
    fsyncSync(descriptor);
    return id;
  } finally {
    closeSync(descriptor);
  }
}

function hashDescriptor(descriptor: number, size: number): string {
  const hash = createHash("sha1").update(`blob ${size}\0`);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
    hash.update(chunk.subarray(0, read));
  }
  return hash.digest("hex");
}

export function countBufferLines(content: Buffer): number {
  let lines = 0;
  for (let at = content.indexOf(0x0a); at !== -1; at = content.indexOf(0x0a, at + 1)) lines += 1;
  return content.length === 0 || content.at(-1) === 0x0a ? lines : lines + 1;
}

/** How many lines a large file has; a last line without its newline counts. */
export function countLines(path: string | Buffer): number {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  let lines = 0;
  let last = 0x0a;
  try {
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
      for (let at = chunk.indexOf(0x0a); at !== -1 && at < read; at = chunk.indexOf(0x0a, at + 1)) lines += 1;
      last = chunk[read - 1] ?? 0x0a;
    }
  } finally {
    closeSync(descriptor);
  }
  return last === 0x0a ? lines : lines + 1;
}
