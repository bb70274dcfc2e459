/**
 * One file of a queue's log: a sequence of JSON texts (RFC 7464). Each text follows a record separator and ends with a
 * newline, in one `write` at the end of the file, which the kernel does for one process after the other.
 *
 * A text without its newline was cut short by a full disk or a crash, and never counts; the separator of the next one
 * shows where it ends. There is no lock: every reader decides by the numbers in the texts which ones count.
 */
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { QueueError } from "../queue/pure/engine.ts";
import { describeError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";
import { splitLogLines } from "./log-lines.ts";
import { syncNow } from "../system/sync-file.ts";

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
const SEPARATOR = 0x1e;
const CHUNK_BYTES = 1024 * 1024;
/** A text is far smaller; whatever is longer is no text. */
const TEXT_BYTES_MAX = 512 * 1024;

const syncData = promisify(fdatasync);

export interface LogFile {
  /** Whole texts since the last call, in their order. */
  readonly readNew: () => readonly string[];
  /** Throws where the text is not at the end of the file now, as one piece. */
  readonly append: (text: string) => void;
  /** Whether it is still the file of this name, and not shorter than what was read. */
  readonly isInPlace: () => boolean;
  /** For a file that is not in its place. */
  readonly explainDamage: () => QueueError;
  /** Resolves once everything that was appended or read before is on the disk. */
  readonly sync: () => Promise<void>;
  readonly syncNow: () => void;
  /** How much of it was read. */
  readonly bytes: () => number;
  /** The descriptors close once no `sync` needs them. */
  readonly close: () => void;
}

interface LogFileOptions {
  readonly path: string;
  /** Called when the file was opened for writing: throws where it is not the newest one any more. */
  readonly onWriter: () => void;
}

interface Handles extends LogFileOptions {
  reader: number | null;
  writer: number | null;
  offset: number;
  syncs: number;
  isClosed: boolean;
}

/** Opens the file when it is needed; a missing one is empty until somebody appends. */
export function openLogFile(options: LogFileOptions): LogFile {
  const handles: Handles = { ...options, reader: null, writer: null, offset: 0, syncs: 0, isClosed: false };
  return {
    readNew: () => readNew(handles),
    append: (text) => append(handles, text),
    isInPlace: () => findDamage(handles) === null,
    explainDamage: () => damaged(handles.path, findDamage(handles) ?? "was changed while it was in use"),
    sync: () => sync(handles),
    syncNow: () => {
      if (handles.writer !== null) fdatasyncSync(handles.writer);
    },
    bytes: () => handles.offset,
    close: () => {
      handles.isClosed = true;
      closeIfIdle(handles);
    },
  };
}

function readNew(handles: Handles): readonly string[] {
  handles.reader ??= openExisting(handles.path);
  if (handles.reader === null) return [];
  const { size } = fstatSync(handles.reader);
  const texts: string[] = [];
  while (handles.offset < size) {
    const data = readPart(handles.reader, handles.offset, size);
    const { lines, rest } = splitLogLines(data);
    for (const line of lines) texts.push(...findText(line));
    const next = data.length - countUnfinished(rest);
    if (next === 0) break; // The last text is not whole, or not yet.
    handles.offset += next;
  }
  return texts;
}

function append(handles: Handles, text: string): void {
  const data = Buffer.from(`\u001E${text}\n`);
  if (data.length > TEXT_BYTES_MAX) throw new QueueError("refused", "the job is too large for the queue");
  handles.writer ??= openWriter(handles);
  // The rest must not follow a part: another process may have written meanwhile.
  if (writeOnce(handles.path, handles.writer, data) !== data.length) throw unwritable(handles.path, "the disk is full");
}

async function sync(handles: Handles): Promise<void> {
  const file = handles.writer ?? handles.reader;
  if (file === null) return;
  handles.syncs += 1;
  try {
    await syncData(file);
  } catch (error) {
    throw unwritable(handles.path, error);
  } finally {
    handles.syncs -= 1;
    closeIfIdle(handles);
  }
}

function closeIfIdle(handles: Handles): void {
  if (!handles.isClosed || handles.syncs > 0) return;
  for (const file of [handles.reader, handles.writer]) if (file !== null) closeSync(file);
  handles.reader = null;
  handles.writer = null;
}

function openWriter({ path, onWriter }: LogFileOptions): number {
  const file = openForWriting(path);
  try {
    syncNow(dirname(path)); // A power cut must not take the name of the file.
    onWriter();
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function openForWriting(path: string): number {
  try {
    return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function writeOnce(path: string, file: number, data: Buffer): number {
  try {
    return writeSync(file, data);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function findDamage({ path, reader, writer, offset }: Handles): string | null {
  const file = reader ?? writer;
  if (file === null) return null;
  const stats = fstatSync(file);
  const named = statSync(path, { throwIfNoEntry: false });
  if (named === undefined || named.ino !== stats.ino || named.dev !== stats.dev)
    return "was removed or replaced while it was in use";
  return stats.size < offset ? `was cut to ${stats.size} bytes` : null;
}

function openExisting(path: string): number | null {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW);
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return null;
    throw new QueueError("unwritable", `cannot read the queue ${path}: ${describeError(error)}`);
  }
}

function readPart(file: number, from: number, size: number): Buffer {
  const data = Buffer.alloc(Math.min(size - from, CHUNK_BYTES));
  return data.subarray(0, readSync(file, data, 0, data.length, from));
}

/** A text that was cut short may stand before it; what no separator begins is none. */
function findText(line: Buffer): readonly string[] {
  const start = line.lastIndexOf(SEPARATOR);
  return start === -1 ? [] : [line.toString("utf8", start + 1)];
}

/** The bytes at the end that must be read again: a text may still be written, unless it is longer than any. */
function countUnfinished(rest: Buffer): number {
  const start = rest.lastIndexOf(SEPARATOR);
  const count = start === -1 ? 0 : rest.length - start;
  return count > TEXT_BYTES_MAX ? 0 : count;
}

function damaged(path: string, what: string): QueueError {
  return new QueueError("damaged", `the queue's log ${path} ${what}: restore it, or move its folder away`);
}

function unwritable(path: string, error: unknown): QueueError {
  const reason = error instanceof Error ? describeError(error) : String(error);
  return new QueueError("unwritable", `cannot write the queue ${path}: ${reason}`);
}
