/**
 * Files and links as evidence records them, compared with and copied from the disk.
 *
 * Content is taken from the disk only when its id is the recorded one, so nothing can slip in after the judgement.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  symlinkSync,
} from "node:fs";
import type { EntrySide } from "../records/evidence.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { joinBytes } from "../system/byte-path.ts";
import { readErrorCode } from "../system/read-files.ts";
import { writeFully } from "../system/write-files.ts";

export interface RecordedEntry {
  /** A byte string, relative to the root. */
  readonly path: string;
  /** Null is nothing. */
  readonly side: EntrySide | null;
}

const CHUNK_BYTES = 1024 * 1024;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_WRONLY, O_CREAT, O_EXCL } = constants;

export function isExecutable({ mode }: EntrySide): boolean {
  return (Number.parseInt(mode, 8) & 0o100) !== 0;
}

/** Whether the disk still holds what is recorded: type, content, link text and the execute bit. */
export function isAsRecorded(root: string, { path, side }: RecordedEntry): boolean {
  const absolute = joinBytes(root, path);
  const stats = findStats(absolute);
  if (stats === null || side === null) return stats === null && side === null;
  if (side.type === "directory") return stats.isDirectory();
  if (side.type === "symlink") return isLinkTo(absolute, side);
  if (side.type !== "file" || !stats.isFile() || stats.size !== side.size) return false;
  return ((stats.mode & 0o100) !== 0) === isExecutable(side) && copyHashed(absolute, null) === side.id;
}

/** Copies a recorded file or link below another root, or throws when the disk holds something else. */
export function copyRecorded(from: string, to: string, { path, side }: RecordedEntry): void {
  const source = joinBytes(from, path);
  const target = joinBytes(to, path);
  mkdirSync(target.subarray(0, target.lastIndexOf("/")), { recursive: true });
  if (side === null || !copy(source, target, side))
    throw new MeasurementError(source.toString(), "is not what was judged");
}

function copy(source: Buffer, target: Buffer, side: EntrySide): boolean {
  if (side.type === "symlink") {
    if (!isLinkTo(source, side)) return false;
    symlinkSync(side.link_target ?? "", target);
    return true;
  }
  if (side.type !== "file" || copyHashed(source, target) !== side.id) return false;
  chmodSync(target, isExecutable(side) ? 0o700 : 0o600);
  return true;
}

function isLinkTo(absolute: Buffer, { link_target }: EntrySide): boolean {
  if (link_target === null || findStats(absolute)?.isSymbolicLink() !== true) return false;
  return readlinkSync(absolute, { encoding: "buffer" }).equals(Buffer.from(link_target));
}

/** Nothing is followed; a folder on the way that became a file means that nothing is there. */
function findStats(absolute: Buffer) {
  try {
    return lstatSync(absolute);
  } catch (error) {
    if (readErrorCode(error) === "ENOENT" || readErrorCode(error) === "ENOTDIR") return null;
    throw new MeasurementError(absolute.toString(), describeError(error));
  }
}

/** Git's id of the content, read once; with a target, exactly the bytes that were hashed are written there. */
function copyHashed(source: Buffer, target: Buffer | null): string | null {
  try {
    if (target === null) return readHashed(source, () => undefined);
    return withNewFile(target, (to) => readHashed(source, (bytes) => writeFully(to, bytes)));
  } catch (error) {
    throw new MeasurementError(source.toString(), describeError(error));
  }
}

/** Git's id of the content, whose bytes are handed on as they are read; null for an entry that is no file. */
function readHashed(source: Buffer, take: (bytes: Buffer) => unknown): string | null {
  const from = openSync(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(from);
    if (!stats.isFile()) return null;
    const hash = createHash("sha1").update(`blob ${stats.size}\0`);
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let read = readSync(from, chunk); read > 0; read = readSync(from, chunk)) {
      hash.update(chunk.subarray(0, read));
      take(chunk.subarray(0, read));
    }
    return hash.digest("hex");
  } finally {
    closeSync(from);
  }
}

function withNewFile<T>(path: Buffer, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
