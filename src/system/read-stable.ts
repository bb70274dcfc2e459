import { type BigIntStats, chmodSync, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { MeasurementError, describeError } from "../base/errors.ts";
import type { Entry } from "../base/manifest.ts";
import { computeBlobId } from "./hash-file.ts";
import { joinBytes } from "./byte-path.ts";
import { readErrorCode } from "./read-files.ts";
import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * Reads a file that must not change meanwhile.
 *
 * Content and manifest entry must belong together: the file is opened without following links, and its stamp is
 * compared before and after. A difference is a failed measurement, never a guess.
 */

export interface FileToRead {
  readonly folder: string;
  readonly path: string;
  readonly entry: Entry;
}

/** `forced` tells whether its permissions had to be lifted. */
export function readStable(file: FileToRead, force: boolean): { readonly content: Buffer; readonly forced: boolean } {
  try {
    const { answer: content, forced } = withStableFile(file, force, (descriptor) => {
      const buffer = Buffer.allocUnsafe(file.entry.size);
      if (readFully(descriptor, buffer) !== file.entry.size) throw makeFailure(file, CHANGED);
      return buffer;
    });
    return { content, forced };
  } catch (error) {
    throw error instanceof MeasurementError ? error : makeFailure(file, describeError(error));
  }
}

/** Opens a file for some work, and proves that it did not change meanwhile. */
export function withStableFile<T>(file: FileToRead, force: boolean, work: (descriptor: number) => T) {
  const { descriptor, forced } = openReadable(file, force);
  try {
    if (!forced) assertUnchanged(file, fstatSync(descriptor, { bigint: true }));
    const answer = work(descriptor);
    if (!forced) assertUnchanged(file, fstatSync(descriptor, { bigint: true }));
    return { answer, forced };
  } finally {
    closeSync(descriptor);
  }
}

function readFully(descriptor: number, content: Buffer): number {
  let filled = 0;
  while (filled < content.length) {
    const read = readSync(descriptor, content, filled, content.length - filled, filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

/** Opens without following a link and without waiting for a writer, should the entry have become a FIFO. */
function openReadable(file: FileToRead, force: boolean): { readonly descriptor: number; readonly forced: boolean } {
  const absolute = joinBytes(file.folder, file.path);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return { descriptor: openSync(absolute, flags), forced: false };
  } catch (error) {
    if (!force || readErrorCode(error) !== "EACCES") throw makeFailure(file, describeError(error));
  }
  try {
    chmodSync(absolute, file.entry.mode | 0o400);
    return { descriptor: openSync(absolute, flags), forced: true };
  } catch (error) {
    throw makeFailure(file, describeError(error));
  }
}

/** Throws when the open file is not the one that the manifest saw. */
function assertUnchanged(file: FileToRead, stats: BigIntStats): void {
  const stamp = `${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`;
  if (stamp !== file.entry.stamp || Number(stats.size) !== file.entry.size) throw makeFailure(file, CHANGED);
}

const CHANGED = "the file changed while it was read";

function makeFailure(file: FileToRead, reason: string): MeasurementError {
  return new MeasurementError(joinBytes(file.folder, file.path).toString("utf8"), reason);
}

/** The content if it is still exactly that of the entry, or null. Never a guess: its id is computed again. */
export function readIfUnchanged(file: FileToRead): Buffer | null {
  try {
    const { content } = readStable(file, false);
    return computeBlobId(content) === file.entry.id ? content : null;
  } catch {
    return null;
  }
}

/**
 * One hash of everything in a folder. It shares no code with the observation of a tick on purpose, so that it can prove
 * that an observation is right.
 */

/** Covers names, types, modes, contents and link targets of a folder, but for the paths that are left out. */
export async function takeFingerprint(folder: string, isLeftOut: (path: string) => boolean) {
  const paths = (await listBelow(folder, "")).filter((path) => !isLeftOut(path)).toSorted();
  const hash = createHash("sha256");
  let files = 0;
  for (const path of paths) {
    const { mode, isFolder, content } = await readPart(join(folder, path));
    if (!isFolder) files += 1;
    hash.update(JSON.stringify([path, mode, content.length])).update(content);
  }
  return { sha256: hash.digest("hex"), files };
}

/** Every path below a folder. Links are listed and not followed, which Node's own recursion does not promise. */
async function listBelow(folder: string, parent: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, parent), { withFileTypes: true });
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const path = join(parent, entry.name);
      return entry.isDirectory() ? [path, ...(await listBelow(folder, path))] : [path];
    }),
  );
  return lists.flat();
}

async function readPart(path: string) {
  const stats = await lstat(path);
  const content = stats.isSymbolicLink()
    ? Buffer.from(await readlink(path))
    : stats.isFile()
      ? await readFile(path)
      : Buffer.alloc(0);
  return { mode: stats.mode, isFolder: stats.isDirectory(), content };
}
