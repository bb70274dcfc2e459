/**
 * The lines of a journal as they stand there, without a look at their hashes and their form: for somebody who wants to
 * see them now. Nothing may be decided by them before `readJournal` has checked the same file.
 */
import { hash } from "node:crypto";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JournalLine } from "../records/event.ts";
import { isForeignVersion } from "../base/record-version.ts";
import type { JournalTail } from "./read-journal.ts";

const { O_RDONLY, O_NOFOLLOW } = constants;
/** Small, so that requests are answered in between. */
const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

export interface UncheckedJournal {
  readonly lines: readonly JournalLine[];
  readonly tail: JournalTail;
}

/** Null where only a thorough reading can tell what it is. */
export async function readUnchecked(path: string): Promise<UncheckedJournal | null> {
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW);
    try {
      return await readWholeLines(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

async function readWholeLines(file: number): Promise<UncheckedJournal | null> {
  const lines: JournalLine[] = [];
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let last = Buffer.alloc(0);
  let bytes = 0;
  for (;;) {
    const read = readSync(file, chunk, 0, chunk.length, bytes);
    const end = chunk.subarray(0, read).lastIndexOf(NEWLINE);
    if (end !== -1) {
      if (!takeLines(chunk.toString("utf8", 0, end), lines)) return null;
      last = Buffer.from(chunk.subarray(chunk.lastIndexOf(NEWLINE, end - 1) + 1, end));
    } else if (read === chunk.length) chunk = Buffer.allocUnsafe(2 * read);
    else break;
    bytes += end + 1;
    await nextTurn();
  }
  if (lines.length === 0) return null;
  return { lines, tail: { end: { seq: lines.length, sha256: hash("sha256", last) }, bytes } };
}

/** One text of many lines is made faster than many texts. False where a line is none that can be shown. */
function takeLines(text: string, lines: JournalLine[]): boolean {
  return text.split("\n").every((one) => {
    const line: JournalLine = JSON.parse(one);
    const isNext = line.seq === lines.length && !isForeignVersion(line.version);
    if (isNext) lines.push(line);
    return isNext;
  });
}
