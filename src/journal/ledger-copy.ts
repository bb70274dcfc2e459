/**
 * The published copy of the journal. It has all lines, so after many ticks it is long; a copy that is as relais left it
 * only gets the new ones.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, writeSync } from "node:fs";
import { copyUnsynced } from "../system/atomic-file.ts";
import { readFingerprint } from "./remembered-file.ts";

const { O_RDONLY, O_WRONLY, O_APPEND, O_NOFOLLOW } = constants;
/** More is copied as a whole. */
const ADDED_BYTES_MAX = 16 * 1024 * 1024;

/** A copy as relais left it. */
export interface LedgerMark {
  readonly path: string;
  readonly fingerprint: string;
  /** The copied file, and how much of it there was. */
  readonly inode: string;
  readonly bytes: number;
}

const marks = new Map<string, LedgerMark>();

export function findLedgerMark(path: string): LedgerMark | null {
  return marks.get(path) ?? null;
}

/** As an earlier process left it. */
export function noteLedger(mark: LedgerMark): void {
  marks.set(mark.path, mark);
}

export async function publishLedger(journal: string, path: string): Promise<void> {
  const mark = marks.get(path);
  marks.delete(path);
  if (mark === undefined || !addLines(journal, mark)) await copyUnsynced(journal, path, { mode: 0o600 });
  const fingerprint = readFingerprint(path);
  const { size: bytes } = lstatSync(path);
  if (fingerprint !== null) marks.set(path, { path, fingerprint, inode: readInode(journal), bytes });
}

/** Whether the copy could be continued. */
function addLines(journal: string, { path, fingerprint, inode, bytes }: LedgerMark): boolean {
  if (readFingerprint(path) !== fingerprint || readInode(journal) !== inode) return false;
  const added = readFrom(journal, bytes);
  if (added === null) return false;
  const file = openSync(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
  try {
    const { size, nlink } = fstatSync(file);
    return size === bytes && nlink === 1 && writeSync(file, added) === added.length;
  } finally {
    closeSync(file);
  }
}

function readFrom(journal: string, bytes: number): Buffer | null {
  const file = openSync(journal, O_RDONLY | O_NOFOLLOW);
  try {
    const length = fstatSync(file).size - bytes;
    if (length < 0 || length > ADDED_BYTES_MAX) return null;
    const added = Buffer.alloc(length);
    return readSync(file, added, 0, length, bytes) === length ? added : null;
  } finally {
    closeSync(file);
  }
}

function readInode(path: string): string {
  const { dev, ino } = lstatSync(path, { bigint: true });
  return `${dev} ${ino}`;
}
