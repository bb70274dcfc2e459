/**
 * The lines of a journal as they stand there, without a look at their hashes and their form: for somebody who wants to
 * see them now. Nothing may be decided by them before `readJournal` has checked the same file.
 */
import { hash } from "node:crypto";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JournalLine } from "../../contract/journal/event.ts";
import { isNewerVersion } from "../../contract/values/record-version.ts";
import type { JournalTail } from "./read-journal.ts";

const { O_RDONLY, O_NOFOLLOW } = constants;
const CHUNK_BYTES = 1024 * 1024;
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
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let last = rest;
  let bytes = 0;
  for (;;) {
    const read = readSync(file, chunk, 0, CHUNK_BYTES, bytes + rest.length);
    if (read === 0) break;
    const data = Buffer.concat([rest, chunk.subarray(0, read)]);
    let from = 0;
    for (let to = data.indexOf(NEWLINE); to !== -1; from = to + 1, to = data.indexOf(NEWLINE, from)) {
      last = data.subarray(from, to);
      const line: JournalLine = JSON.parse(last.toString("utf8"));
      if (line.seq !== lines.length || isNewerVersion(line.version)) return null;
      lines.push(line);
    }
    bytes += from;
    rest = data.subarray(from);
    await nextTurn();
  }
  if (lines.length === 0) return null;
  return { lines, tail: { end: { seq: lines.length, sha256: hash("sha256", last) }, bytes } };
}
