/**
 * The redo log of a state directory: the bytes of files that were written but not synced.
 *
 * To sync each small file on its own, with its folder, costs two writes of the disk for each. So a file is written
 * under its name, complete and at once for every process, and its bytes are appended to this log. One sync of the log
 * then makes all files before it safe. If the power is cut, the next process that holds the lock finds the log of
 * another boot, and writes every file again that is missing or differs. A process that is killed loses nothing, because
 * the system still has what it wrote.
 *
 * Only files that are never changed later are written like this, or whose last content counts. A file that is too large
 * is synced itself. A log that has grown is emptied after all its files were synced.
 */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  constants,
  lstatSync,
  openSync,
  closeSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { nameTemporary } from "./atomic-file.ts";
import { makeFolders } from "./make-folders.ts";
import { parseJson } from "./parse-json.ts";
import { syncNow } from "./sync-file.ts";

const NAME = "redo.log";
const FORMAT = "relais-redo-1";
const UNKNOWN_BOOT = "-";
/** A larger file is synced itself. */
const FILE_BYTES_MAX = 1024 * 1024;
/** A longer log is emptied. */
const LOG_BYTES_MAX = 8 * 1024 * 1024;
/** What the log writes to. */
const OWN = /^(?:observation$|(?:judge\.git\/(?:objects|refs)|runs|accepted|salvage)\/[^/])/;

export interface RedoLog {
  /** Replaces a file below the state directory; it is safe after the next `sync`. */
  readonly write: (path: string, data: string | Buffer, mode?: number) => void;
  /** Removes a file or a folder with everything in it, for good. */
  readonly remove: (path: string) => void;
  /** Returns once everything that was written before is safe. */
  readonly sync: () => void;
}

interface LogState {
  /** Whether something was appended since the last sync; also by a process that was killed. */
  isDirty: boolean;
  /** Of the machine, once the log was replayed. */
  boot: string;
}

/** A process that was killed may have written something, so the first sync is always needed. */
const NEW: LogState = { isDirty: true, boot: UNKNOWN_BOOT };
/** One for each state directory, because the journal syncs what others wrote. */
const logs = new Map<string, LogState>();

function findState(stateDirectory: string): LogState {
  const state = logs.get(stateDirectory) ?? { ...NEW };
  logs.set(stateDirectory, state);
  return state;
}

export function openRedoLog(stateDirectory: string): RedoLog {
  const state = findState(stateDirectory);
  const append = (record: RedoRecord, data: Buffer): void => {
    const log = join(stateDirectory, NAME);
    if (lstatSync(log, { throwIfNoEntry: false }) === undefined) createLog(log, state.boot);
    appendRecord(log, record, data);
    state.isDirty = true;
  };
  return {
    write: (path, data, mode = 0o600) => {
      const bytes = typeof data === "string" ? Buffer.from(data) : data;
      const own = relative(stateDirectory, path);
      const isLogged = OWN.test(own) && bytes.length <= FILE_BYTES_MAX;
      replaceFile(path, bytes, { mode, isSynced: !isLogged });
      if (isLogged) return append({ path: own, mode, size: bytes.length, sha256: computeDigest(bytes) }, bytes);
      if (OWN.test(own)) append({ path: own, mode, size: 0, sha256: null }, Buffer.alloc(0));
    },
    remove: (path) => {
      rmSync(path, { recursive: true, force: true });
      append({ path: relative(stateDirectory, path), mode: 0, size: 0, sha256: null }, Buffer.alloc(0));
    },
    sync: () => {
      if (state.isDirty) syncLog(stateDirectory);
      state.isDirty = false;
    },
  };
}

/** For files that nobody needs after a crash. */
export const UNSAFE: Pick<RedoLog, "write"> = {
  write: (path, data, mode = 0o600) =>
    replaceFile(path, typeof data === "string" ? Buffer.from(data) : data, { mode, isSynced: false }),
};

interface RedoRecord {
  /** Relative to the state directory. */
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  /** Null where earlier records of this path, and of everything below it, do not count any more. */
  readonly sha256: string | null;
}

interface FileReplacement {
  readonly mode: number;
  readonly isSynced: boolean;
}

function replaceFile(path: string, data: Buffer, { mode, isSynced }: FileReplacement): void {
  makeFolders(dirname(path), 0o700);
  const temporary = nameTemporary(path);
  try {
    writeFileSync(temporary, data, { flag: "wx", mode });
    chmodSync(temporary, mode);
    if (isSynced) syncNow(temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (isSynced) syncNow(dirname(path));
}

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

function appendRecord(log: string, record: RedoRecord, data: Buffer): void {
  const descriptor = openSync(log, O_WRONLY | O_APPEND | O_NOFOLLOW);
  try {
    appendFileSync(descriptor, Buffer.concat([Buffer.from(`${JSON.stringify(record)}\n`), data, Buffer.from("\n")]));
  } finally {
    closeSync(descriptor);
  }
}

/** The first line comes last: a log that has it has its name on the disk. */
function createLog(log: string, boot: string): void {
  makeFolders(dirname(log), 0o700);
  const descriptor = openSync(log, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    syncNow(dirname(log));
    appendFileSync(descriptor, `${FORMAT} ${boot}\n`);
  } finally {
    closeSync(descriptor);
  }
}

function syncLog(stateDirectory: string): void {
  const log = join(stateDirectory, NAME);
  const size = lstatSync(log, { throwIfNoEntry: false })?.size;
  if (size === undefined) return;
  syncNow(log);
  if (size > LOG_BYTES_MAX) emptyLog(stateDirectory);
}

/** Syncs every file of the log, and then needs it no more. */
function emptyLog(stateDirectory: string): void {
  const read = readLog(stateDirectory);
  const paths = [...(read?.files.keys() ?? [])].map((path) => join(stateDirectory, path));
  const present = paths.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true);
  for (const path of [...present, ...new Set(present.map((file) => dirname(file)))]) syncNow(path);
  truncateSync(join(stateDirectory, NAME), `${FORMAT} ${read?.boot ?? UNKNOWN_BOOT}\n`.length);
}

interface LogFile {
  readonly mode: number;
  readonly data: Buffer;
}

interface ReadLog {
  readonly boot: string;
  /** The last content of each path. */
  readonly files: ReadonlyMap<string, LogFile>;
  /** Where the last whole record ends. */
  readonly end: number;
  readonly size: number;
}

/** A record that was cut off, and everything after it, does not count. Null where there is no log. */
function readLog(stateDirectory: string): ReadLog | null {
  const log = join(stateDirectory, NAME);
  if (lstatSync(log, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const bytes = readFileSync(log);
  const headerEnd = bytes.indexOf("\n") + 1;
  const boot = new RegExp(`^${FORMAT} (\\S+)\n$`).exec(bytes.toString("latin1", 0, headerEnd))?.[1];
  const files = new Map<string, LogFile>();
  let end = boot === undefined ? 0 : headerEnd;
  for (let at = end; at > 0 && at < bytes.length; at = end) {
    const lineEnd = bytes.indexOf("\n", at) + 1;
    const record = lineEnd === 0 ? null : parseRecord(bytes.toString("utf8", at, lineEnd));
    const next = record === null ? bytes.length : lineEnd + record.size + 1;
    if (record === null || next > bytes.length || bytes[next - 1] !== 0x0a) break;
    putRecord(files, record, bytes.subarray(lineEnd, next - 1));
    end = next;
  }
  return { boot: boot ?? UNKNOWN_BOOT, files, end, size: bytes.length };
}

function putRecord(files: Map<string, LogFile>, { path, mode, sha256 }: RedoRecord, data: Buffer): void {
  if (sha256 === null) {
    for (const known of files.keys()) if (known === path || known.startsWith(`${path}/`)) files.delete(known);
  } else if (computeDigest(data) === sha256) files.set(path, { mode, data });
}

function parseRecord(line: string): RedoRecord | null {
  const value = parseJson(line);
  if (typeof value !== "object" || value === null || !("path" in value) || !("mode" in value)) return null;
  if (!("size" in value) || !("sha256" in value)) return null;
  const { path, mode, size, sha256 } = value;
  if (typeof path !== "string" || typeof mode !== "number" || typeof size !== "number") return null;
  const isPlain = path.split("/").every((part) => !["", ".", ".."].includes(part));
  if (!isPlain || !Number.isInteger(size) || size < 0) return null;
  return { path, mode, size, sha256: typeof sha256 === "string" ? sha256 : null };
}

/** Before anything else, by the holder of the lock. Answers with whether the machine was started since the last time. */
export function replayRedoLog(stateDirectory: string, boot: string): boolean {
  const log = join(stateDirectory, NAME);
  Object.assign(findState(stateDirectory), { ...NEW, boot });
  const read = readLog(stateDirectory);
  if (read?.boot === boot) {
    if (read.end < read.size) truncateSync(log, read.end);
    return false;
  }
  for (const [path, file] of read?.files ?? []) if (OWN.test(path)) restoreFile(stateDirectory, path, file);
  rmSync(log, { recursive: true, force: true });
  return read !== null;
}

function restoreFile(stateDirectory: string, path: string, { mode, data }: LogFile): void {
  const absolute = join(stateDirectory, path);
  // A link on the way would let others choose where we write.
  const parents = path.split("/").map((_, at, parts) => join(stateDirectory, ...parts.slice(0, at)));
  const isOdd = (folder: string) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false;
  if (parents.some(isOdd)) return;
  const there = lstatSync(absolute, { throwIfNoEntry: false });
  if (there?.isFile() === true && there.size === data.length && readFileSync(absolute).equals(data)) return;
  replaceFile(absolute, data, { mode: mode & 0o777, isSynced: true });
}

function computeDigest(data: Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}
