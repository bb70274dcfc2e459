import { lstatSync, closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { MeasurementError, describeError } from "../base/errors.ts";

/** The `code` of a system error, such as `ENOENT`; null for anything else. */
export function readErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** A link to a file is none. */
export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** A link to a folder is none. */
export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

interface ReadLimits {
  readonly bytesMax: number;
  /** The end of the file where it is longer, rather than a refusal. */
  readonly isTail?: boolean;
}

/** The bytes of an ordinary file, read synchronously; null where there is none. Any other entry is refused. */
export function readNow(path: string | Buffer, part: ReadLimits): Buffer | null {
  const file = openIfThere(path);
  if (file === null) return null;
  try {
    return readPart(file, path.toString(), part);
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string | Buffer): number | null {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (readErrorCode(error) === "ENOENT" || readErrorCode(error) === "ENOTDIR") return null;
    throw new MeasurementError(path.toString(), describeError(error));
  }
}

function readPart(file: number, path: string, { bytesMax, isTail = false }: ReadLimits): Buffer {
  const stats = fstatSync(file);
  const { size } = stats;
  if (!stats.isFile()) throw new MeasurementError(path, "it is not an ordinary file");
  if (size > bytesMax && !isTail) throw new MeasurementError(path, `it is larger than ${bytesMax} bytes`);
  const buffer = Buffer.alloc(Math.min(size, bytesMax));
  const start = size - buffer.length;
  let length = 0;
  for (;;) {
    const read = readSync(file, buffer, length, buffer.length - length, start + length);
    length += read;
    if (read === 0 || length === buffer.length) return buffer.subarray(0, length);
  }
}

/** The names of the ordinary files in a folder, in their order; none where there is no folder. Links are no files. */
export function listFilesIn(folder: string): readonly string[] {
  if (!isFolder(folder)) return [];
  const names = readdirSync(folder).filter((name) => isFile(join(folder, name)));
  return names.toSorted();
}

/** Whether there is any entry, a link that leads nowhere included. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
