/**
 * Replacing a file in one step.
 *
 * The new content is complete and on the disk before it gets its name, so a reader, a crash or a power cut finds the
 * old file or the new one and never a part of either. The temporary file lies in the same folder (a rename must not
 * cross file systems) under a name that nobody can guess and that must not exist yet, so nobody can plant a link there.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "./sync-file.ts";

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
  await syncFolder(dirname(path));
}

/** The same for a file that can be made again: a power cut may leave the old one, or an empty one. */
export async function writeUnsynced(path: string, data: string | Uint8Array): Promise<void> {
  await replace(path, (temporary) => writeNew(temporary, data, 0o644));
}

/** Copies an ordinary file of any size, like `writeAtomic`: whole or not at all. A link is refused, not followed. */
export async function copyAtomic(source: string, target: string, { mode }: { readonly mode: number }): Promise<void> {
  if (!(await lstat(source)).isFile()) throw new Error(`${source} is not an ordinary file`);
  await replace(target, async (temporary) => {
    await copyFile(source, temporary, COPYFILE_EXCL | COPYFILE_FICLONE);
    await fill(await open(temporary, O_RDONLY | O_NOFOLLOW), { isSynced: true, data: null, mode });
  });
  await syncFolder(dirname(target));
}

/** The same for a copy that can be made again. */
export async function copyUnsynced(source: string, target: string, { mode }: { readonly mode: number }): Promise<void> {
  if (!(await lstat(source)).isFile()) throw new Error(`${source} is not an ordinary file`);
  await replace(target, async (temporary) => {
    await copyFile(source, temporary, COPYFILE_EXCL | COPYFILE_FICLONE);
    await fill(await open(temporary, O_RDONLY | O_NOFOLLOW), { isSynced: false, data: null, mode });
  });
}

/** A name in the same folder, of the form that `isHalfWritten` knows. */
export function nameTemporary(path: string): string {
  return join(dirname(path), `.relais-${randomBytes(12).toString("hex")}.tmp`);
}

async function replace(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = nameTemporary(path);
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => null); // What went wrong first is what counts.
    throw error;
  }
}

/** Creates a file that must not exist yet and returns once it is complete and on the disk; a failure leaves nothing. */
export async function writeComplete(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  await create(path, { isSynced: true, data, mode });
}

/** The same for a file that nobody needs after a power cut. */
export async function writeNew(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  await create(path, { isSynced: false, data, mode });
}

async function create(path: string, filling: Filling): Promise<void> {
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, filling.mode);
  try {
    await fill(file, filling);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

interface Filling {
  readonly isSynced: boolean;
  /** Null for a file that has its content. */
  readonly data: string | Uint8Array | null;
  readonly mode: number;
}

async function fill(file: FileHandle, { isSynced, data, mode }: Filling): Promise<void> {
  try {
    await file.chmod(mode); // The umask has its say when a file is created, not here.
    if (data !== null) await file.writeFile(data);
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
}
