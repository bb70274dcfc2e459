/**
 * The file of the journal while it is open for writing.
 *
 * Nobody else writes it, but nothing keeps a builder from doing so. So the file is checked before each line: if its
 * inode, size or time of change differs it is read again, and if its lines differ nothing is added. Times do not show
 * every write, so the last line is compared in any case: the chain of hashes ends there.
 */
import {
  appendFileSync,
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
} from "node:fs";
import { MeasurementError } from "../base/errors.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readErrorCode } from "../system/read-files.ts";
import type { ChainEnd } from "./journal-text.ts";
import { setJournalAside } from "./repair-journal.ts";
import { readJournal } from "./read-journal.ts";

const { O_RDWR, O_APPEND, O_NOFOLLOW } = constants;

/** Somebody else removed or changed the journal while it was open. The new line was not added. */
export class JournalChanged extends MeasurementError {}

interface AppendOptions {
  readonly end: ChainEnd;
  /** Whether the line, and all before it, must be on the disk. */
  readonly isDurable: boolean;
}

/** A file of size 0 need not exist yet. */
export function openJournalFile(path: string, size: number) {
  let bytes = size;
  let file: number | null = null;
  let stamp: string | null = null;
  let last: Buffer | null = null;
  const close = async (): Promise<void> => {
    if (file !== null) closeSync(file);
    file = null;
  };
  return {
    bytes: (): number => bytes,
    /** Adds a line after `end`. A failed write leaves the file as it was. */
    append: async (data: Buffer, { end, isDurable }: AppendOptions): Promise<void> => {
      if (bytes === 0) await writeAtomic(path, data, { mode: 0o600 });
      else {
        if (await isTouched(path, bytes, stamp, end)) await close();
        file ??= openSync(path, O_RDWR | O_APPEND | O_NOFOLLOW);
        appendTo(file, { path, data, bytes, last, isDurable });
      }
      bytes += data.length;
      last = data;
      stamp = readStamp(path);
    },
    /** Sets the present file aside and writes a new one. */
    replace: async (data: Buffer): Promise<void> => {
      await close();
      await setJournalAside(path);
      if (data.length > 0) await writeAtomic(path, data, { mode: 0o600 });
      bytes = data.length;
      last = null;
      stamp = readStamp(path);
    },
    close,
  };
}

const CHANGED = "somebody else removed or changed the journal";

/** Whether it is another file than before. If somebody else touched it, it is read again: only its lines count. */
async function isTouched(
  path: string,
  bytes: number /** The stamp after our last line; null before the first one. */,
  stamp: string | null,
  end: ChainEnd,
): Promise<boolean> {
  const now = readStamp(path);
  if (now === null) throw new JournalChanged(path, CHANGED);
  if (stamp === null || now === stamp) return false;
  const read = await readJournal(path);
  const isSame = read.kind === "read" && read.bytes === bytes && read.end.sha256 === end.sha256;
  if (!isSame) throw new JournalChanged(path, CHANGED);
  return true;
}

/** Changes with everything that is done to the file; null where there is none. */
export function readStamp(path: string): string | null {
  try {
    const { dev, ino, size, ctimeNs } = lstatSync(path, { bigint: true });
    return [dev, ino, size, ctimeNs].join(":");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(readErrorCode(error) ?? "")) return null;
    throw error;
  }
}

interface Addition {
  readonly path: string;
  readonly data: Buffer;
  /** The size that the file must have before. */
  readonly bytes: number;
  /** The line before it; null where this process wrote none. */
  readonly last: Buffer | null;
  readonly isDurable: boolean;
}

function appendTo(file: number, { path, data, bytes, last, isDurable }: Addition): void {
  const stats = fstatSync(file);
  if (stats.nlink === 0 || stats.size !== bytes) throw new JournalChanged(path, CHANGED);
  if (last !== null && !endsWith(file, { bytes, last })) throw new JournalChanged(path, CHANGED);
  try {
    appendFileSync(file, data);
    if (isDurable) fdatasyncSync(file);
  } catch (error) {
    cutBack(file, bytes);
    throw error;
  }
}

/** Where even this fails, the next append finds another size and refuses. */
function cutBack(file: number, bytes: number): void {
  try {
    ftruncateSync(file, bytes);
  } catch {
    // The first failure is reported.
  }
}

function endsWith(file: number, { bytes, last }: { readonly bytes: number; readonly last: Buffer }): boolean {
  const buffer = Buffer.alloc(last.length);
  readSync(file, buffer, 0, buffer.length, bytes - last.length);
  return buffer.equals(last);
}
