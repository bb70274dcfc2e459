import * as v from "valibot";
import { hash } from "node:crypto";
import {
  lstatSync,
  readFileSync,
  appendFileSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  closeSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { parseWith } from "../base/schema-error.ts";
import { parseJson } from "./parse-json.ts";
import { readNow } from "./read-files.ts";
import { dirname, join, relative } from "node:path";
import { describeError, MeasurementError } from "../base/errors.ts";
import { nameTemporary } from "./atomic-file.ts";
import { removeQuietly } from "./remove-quietly.ts";
import { makeFolders } from "./folders.ts";
import { removeFolder } from "./remove-own.ts";
import { syncNow } from "./sync-file.ts";

/** The records of a redo log: each is a line about a file, its bytes, and a newline. */

const FORMAT = "relais-redo-1";
export const UNKNOWN_BOOT = "-";
const NEWLINE = 0x0a;

/** The first line of a log that was begun after this start of the machine. */
export function renderLogHeader(boot: string): string {
  return `${FORMAT} ${boot}\n`;
}

const RedoRecord = v.strictObject({
  /** Relative to the state directory. */
  path: v.pipe(
    v.string(),
    v.check((path) => path.split("/").every((part) => !["", ".", ".."].includes(part))),
  ),
  mode: v.pipe(v.number(), v.integer()),
  size: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Null where earlier records of this path, and of everything below it, do not count any more. */
  sha256: v.nullable(v.string()),
});
type RedoRecord = v.InferOutput<typeof RedoRecord>;

/** Of a file with these bytes; null for one whose earlier records do not count any more. */
export function renderRecord({ path, mode }: Pick<RedoRecord, "path" | "mode">, data: Buffer | null): Buffer {
  const sha256 = data === null ? null : hash("sha256", data);
  const record: RedoRecord = { path, mode, size: data?.length ?? 0, sha256 };
  return Buffer.concat([Buffer.from(`${JSON.stringify(record)}\n`), data ?? Buffer.alloc(0), Buffer.from("\n")]);
}

export interface RedoFile {
  readonly mode: number;
  readonly data: Buffer;
}

interface ReadLog {
  readonly boot: string;
  /** The last content of each path. */
  readonly files: ReadonlyMap<string, RedoFile>;
  /** Where the last whole record ends. */
  readonly end: number;
  readonly size: number;
}

/** Null where there is no log. */
export function readLog(log: string): ReadLog | null {
  if (lstatSync(log, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const bytes = readFileSync(log);
  const headerEnd = bytes.indexOf("\n") + 1;
  const boot = new RegExp(`^${FORMAT} (\\S+)\n$`).exec(bytes.toString("latin1", 0, headerEnd))?.[1];
  if (boot === undefined) return { boot: UNKNOWN_BOOT, files: new Map(), end: 0, size: bytes.length };
  return { boot, ...readRecords(bytes, headerEnd), size: bytes.length };
}

/** Where the last whole record ends, of those that were added after `from`, where one begins. */
export function findLogEnd(log: string, { from, size }: { readonly from: number; readonly size: number }): number {
  const added = readNow(log, { bytesMax: size - from, isTail: true });
  return added === null ? from : from + readRecords(added, 0).end;
}

/** A record that was cut off, and everything after it, does not count. */
function readRecords(bytes: Buffer, start: number): Pick<ReadLog, "files" | "end"> {
  const files = new Map<string, RedoFile>();
  let end = start;
  while (end < bytes.length) {
    const lineEnd = bytes.indexOf("\n", end) + 1;
    const record = parseRecord(bytes.toString("utf8", end, lineEnd));
    const next = record === null ? 0 : lineEnd + record.size + 1;
    if (record === null || next > bytes.length || bytes[next - 1] !== NEWLINE) break;
    putRecord(files, record, bytes.subarray(lineEnd, next - 1));
    end = next;
  }
  return { files, end };
}

function putRecord(files: Map<string, RedoFile>, { path, mode, sha256 }: RedoRecord, data: Buffer): void {
  if (sha256 === null) {
    for (const known of files.keys()) if (known === path || known.startsWith(`${path}/`)) files.delete(known);
  } else if (hash("sha256", data) === sha256) files.set(path, { mode, data });
}

function parseRecord(line: string): RedoRecord | null {
  const parsed = parseWith(RedoRecord, parseJson(line));
  return parsed.kind === "valid" ? parsed.value : null;
}

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

const NAME = "redo.log";
const AFTER_BOOT = "after-boot";
/** The boot, and how long the log was at its last sync: up to there it is whole, and need not be read. */
const WHOLE = "redo.whole";
/** A larger file is synced itself. */
const FILE_BYTES_MAX = 1024 * 1024;
/** A longer log is emptied. */
const LOG_BYTES_MAX = 8 * 1024 * 1024;
/** The small files that a tick replaces often; every other file is synced by itself. */
const OWN =
  /^(?:observation$|(?:judge\.git\/(?:objects|refs)|runs|accepted|salvage)\/[^/]|places\/[^/]+\/(?:start\.json|settlement|merge)$)/;

export interface RedoLog {
  /** Replaces a file below the state directory; it is safe after the next `sync`. */
  readonly write: (path: string, data: string | Buffer, mode?: number) => void;
  /** Removes a file or a folder with everything in it, for good. */
  readonly remove: (path: string) => void;
  /** For a file or folder that was removed: it does not come back. */
  readonly forget: (path: string) => void;
  /** Returns once everything that was written before is safe. */
  readonly sync: () => void;
}

interface LogState {
  /** Whether something was appended since the last sync; also by a process that was killed. */
  isDirty: boolean;
  /** Of the machine, once the log was replayed. */
  boot: string;
  /** Where a record begins that could be written only in part; it goes before anything follows it. Null is none. */
  tornFrom: number | null;
}

/** A process that was killed may have written something, so the first sync is always needed. */
const NEW: LogState = { isDirty: true, boot: UNKNOWN_BOOT, tornFrom: null };
/** One for each state directory, because the journal syncs what others wrote. */
const logs = new Map<string, LogState>();

function findState(stateDirectory: string): LogState {
  const state = logs.get(stateDirectory) ?? { ...NEW };
  logs.set(stateDirectory, state);
  return state;
}

export function openRedoLog(stateDirectory: string): RedoLog {
  const state = findState(stateDirectory);
  const log = join(stateDirectory, NAME);
  const hasLog = (): boolean => lstatSync(log, { throwIfNoEntry: false }) !== undefined;
  const append = (record: Buffer): void => {
    if (!hasLog()) {
      createLog(log, state.boot);
      state.tornFrom = null;
    }
    cutTornRecord(log, state);
    state.isDirty = true;
    appendRecord(log, record, state);
  };
  const forget = (path: string): void => {
    if (hasLog()) append(renderRecord({ path: relative(stateDirectory, path), mode: 0 }, null));
  };
  return {
    write: (path, data, mode = 0o600) => {
      const bytes = typeof data === "string" ? Buffer.from(data) : data;
      const own = relative(stateDirectory, path);
      const isLogged = OWN.test(own) && bytes.length <= FILE_BYTES_MAX;
      try {
        replaceFile(path, bytes, { mode, isSynced: !isLogged });
        if (isLogged) append(renderRecord({ path: own, mode }, bytes));
        else if (OWN.test(own)) forget(path);
      } catch (error) {
        throw new MeasurementError(path, describeError(error));
      }
    },
    remove: (path) => {
      removeFolder(path);
      forget(path);
    },
    forget,
    sync: () => {
      if (state.isDirty) {
        cutTornRecord(log, state);
        syncLog(stateDirectory);
      }
      state.isDirty = false;
    },
  };
}

/** For files that nobody needs after a crash. */
export const UNSAFE: Pick<RedoLog, "write"> = {
  write: (path, data, mode = 0o600) =>
    replaceFile(path, typeof data === "string" ? Buffer.from(data) : data, { mode, isSynced: false }),
};

interface FileReplacement {
  readonly mode: number;
  readonly isSynced: boolean;
}

function replaceFile(path: string, data: Buffer, { mode, isSynced }: FileReplacement): void {
  makeFolders(dirname(path), 0o700);
  const temporary = nameTemporary(path);
  try {
    writeTemporary(temporary, data, { mode, isSynced });
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (isSynced) syncNow(dirname(path));
}

function writeTemporary(path: string, data: Buffer, { mode, isSynced }: FileReplacement): void {
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    fchmodSync(descriptor, mode); // The umask has its say when a file is created, not here.
    writeFileSync(descriptor, data);
    if (isSynced) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** A reader stops at a record that is not whole, so none may follow it. */
function appendRecord(log: string, record: Buffer, state: LogState): void {
  const descriptor = openSync(log, O_WRONLY | O_APPEND | O_NOFOLLOW);
  try {
    state.tornFrom = fstatSync(descriptor).size;
    appendFileSync(descriptor, record);
    state.tornFrom = null;
  } finally {
    closeSync(descriptor);
  }
}

function cutTornRecord(log: string, state: LogState): void {
  if (state.tornFrom === null) return;
  truncateSync(log, state.tornFrom);
  state.tornFrom = null;
}

/** The first line comes last: a log that has it has its name on the disk. */
function createLog(log: string, boot: string): void {
  makeFolders(dirname(log), 0o700);
  const descriptor = openSync(log, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    syncNow(dirname(log));
    appendFileSync(descriptor, renderLogHeader(boot));
  } catch (error) {
    rmSync(log, { force: true });
    throw error;
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
  else noteWhole(stateDirectory, size);
}

function noteWhole(stateDirectory: string, size: number): void {
  const path = join(stateDirectory, WHOLE);
  try {
    writeFileSync(path, `${findState(stateDirectory).boot} ${size}`, { mode: 0o600 });
  } catch {
    rmSync(path, { recursive: true, force: true }); // Then the log is read.
  }
}

/** Up to where the log was whole, if that was since this start of the machine. */
function readWhole(stateDirectory: string, boot: string): { readonly from: number; readonly size: number } | null {
  try {
    const { size } = lstatSync(join(stateDirectory, NAME));
    const [ofBoot, noted] = readFileSync(join(stateDirectory, WHOLE), "utf8").split(" ");
    const from = Number(noted);
    return ofBoot === boot && from > 0 && from <= size ? { from, size } : null;
  } catch {
    return null;
  }
}

/** Syncs every file of the log, and then needs it no more. */
function emptyLog(stateDirectory: string): void {
  const read = readLog(join(stateDirectory, NAME));
  const paths = [...(read?.files.keys() ?? [])].map((path) => join(stateDirectory, path));
  const present = paths.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true);
  for (const path of [...present, ...new Set(present.map((file) => dirname(file)))]) syncNow(path);
  rmSync(join(stateDirectory, WHOLE), { recursive: true, force: true });
  truncateSync(join(stateDirectory, NAME), renderLogHeader(read?.boot ?? UNKNOWN_BOOT).length);
}

/** Before anything else, by the holder of the lock. */
export function replayRedoLog(stateDirectory: string, boot: string): void {
  const log = join(stateDirectory, NAME);
  Object.assign(findState(stateDirectory), { ...NEW, boot });
  const whole = readWhole(stateDirectory, boot);
  if (whole !== null) {
    const end = whole.from === whole.size ? whole.size : findLogEnd(log, whole);
    if (end < whole.size) truncateSync(log, end);
    return;
  }
  const read = readLog(join(stateDirectory, NAME));
  if (read?.boot === boot) {
    if (read.end < read.size) truncateSync(log, read.end);
    return;
  }
  if (read === null) return;
  writeFileSync(join(stateDirectory, AFTER_BOOT), "");
  for (const [path, file] of read.files) if (OWN.test(path)) restoreFile(stateDirectory, path, file);
  rmSync(log, { recursive: true, force: true });
}

/** Does some work once after the machine was started again: files that were not synced may be lost. */
export async function afterBoot(stateDirectory: string, work: () => Promise<void>): Promise<void> {
  const mark = join(stateDirectory, AFTER_BOOT);
  if (lstatSync(mark, { throwIfNoEntry: false }) === undefined) return;
  await work();
  rmSync(mark, { recursive: true, force: true });
}

function restoreFile(stateDirectory: string, path: string, { mode, data }: RedoFile): void {
  const absolute = join(stateDirectory, path);
  // A link on the way would let others choose where we write.
  const parents = path.split("/").map((_, at, parts) => join(stateDirectory, ...parts.slice(0, at)));
  if (parents.some((folder) => isOtherThanFolder(folder))) return;
  const there = lstatSync(absolute, { throwIfNoEntry: false });
  if (there?.isFile() === true && there.size === data.length && readFileSync(absolute).equals(data)) return;
  replaceFile(absolute, data, { mode: mode & 0o777, isSynced: true });
}

function isOtherThanFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}
