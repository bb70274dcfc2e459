/**
 * Replacing a file in one step.
 *
 * The new content is complete and on the disk before it gets its name, so a reader, a crash or a power cut finds the
 * old file or the new one and never a part of either. The temporary file lies in the same folder (a rename must not
 * cross file systems) under a name that nobody can guess and that must not exist yet, so nobody can plant a link there.
 *
 * Most of these files are small, so no thread does the calls: to hand a call to one takes longer than the call.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeQuietly } from "./remove-quietly.ts";
import { syncNow } from "./sync-file.ts";

const { COPYFILE_EXCL, COPYFILE_FICLONE, O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** Whether it is the temporary file of a process that was killed while it replaced another one. */
export function isHalfWritten(name: string): boolean {
  return /^\.relais-[0-9a-f]{24}\.tmp$/.test(name);
}

/** Writes the whole file or nothing. A link at `path` is replaced and not followed. */
export async function writeAtomic(
  path: string,
  data: string | Uint8Array,
  { mode = 0o644 }: { readonly mode?: number } = {},
): Promise<void> {
  await replace(path, (temporary) => writeComplete(temporary, data, mode));
  syncNow(dirname(path));
}

/** The same for a file that can be made again: a power cut may leave the old one, or an empty one. */
export async function writeUnsynced(path: string, data: string | Uint8Array): Promise<void> {
  await replace(path, (temporary) => writeNew(temporary, data, 0o644));
}

/** Copies an ordinary file of any size, like `writeAtomic`: whole or not at all. A link is refused, not followed. */
export async function copyAtomic(source: string, target: string, { mode }: { readonly mode: number }): Promise<void> {
  const { size } = demandFile(source);
  await replace(target, async (temporary) => {
    await copy(source, temporary, size);
    fill(openSync(temporary, O_RDONLY | O_NOFOLLOW), { isSynced: true, data: null, mode });
  });
  syncNow(dirname(target));
}

/** The same for a copy that can be made again. */
export async function copyUnsynced(source: string, target: string, { mode }: { readonly mode: number }): Promise<void> {
  const { size } = demandFile(source);
  await replace(target, async (temporary) => {
    await copy(source, temporary, size);
    fill(openSync(temporary, O_RDONLY | O_NOFOLLOW), { isSynced: false, data: null, mode });
  });
}

const SMALL_BYTES = 1024 * 1024;

function demandFile(path: string) {
  const stats = lstatSync(path);
  if (!stats.isFile()) throw new Error(`${path} is not an ordinary file`);
  return stats;
}

/** A large file is copied by a thread, so that signals are heard meanwhile. */
async function copy(source: string, target: string, size: number): Promise<void> {
  const mode = COPYFILE_EXCL | COPYFILE_FICLONE;
  if (size <= SMALL_BYTES) copyFileSync(source, target, mode);
  else await copyFile(source, target, mode);
}

/** A name in the same folder, of the form that `isHalfWritten` knows. */
export function nameTemporary(path: string): string {
  return join(dirname(path), `.relais-${randomBytes(12).toString("hex")}.tmp`);
}

async function replace(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = nameTemporary(path);
  try {
    await write(temporary);
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/** Creates a file that must not exist yet and returns once it is complete and on the disk; a failure leaves nothing. */
export async function writeComplete(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  create(path, { isSynced: true, data, mode });
}

/** The same for a file that nobody needs after a power cut. */
export async function writeNew(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  create(path, { isSynced: false, data, mode });
}

function create(path: string, filling: Filling): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, filling.mode);
  try {
    fill(file, filling);
  } catch (error) {
    removeQuietly(path);
    throw error;
  }
}

interface Filling {
  readonly isSynced: boolean;
  /** Null for a file that has its content. */
  readonly data: string | Uint8Array | null;
  readonly mode: number;
}

function fill(file: number, { isSynced, data, mode }: Filling): void {
  try {
    fchmodSync(file, mode); // The umask has its say when a file is created, not here.
    if (data !== null) writeFileSync(file, data);
    if (isSynced) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
