/**
 * Compiled code of the parts, in a folder beside them. It belongs to the owner of the parts, who can change the parts as
 * well: so it gives nobody the power to change what relais does. All failures mean that there is none.
 *
 * A file has the length of its index, the index, and the code of each part, each at a multiple of eight bytes. V8 crashes
 * on damaged code, so everything is there twice: Node has no faster check than a comparison, and needs no module for it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

export interface CompiledCode {
  /** Of the process that left it. */
  readonly cpuMs: number;
  /** Of the Node that left it: some of them change what V8 compiles. */
  readonly options: string;
  /** How many processes have added to it. */
  readonly processes: number;
  readonly parts: ReadonlyMap<string, Buffer>;
}

interface Index extends Omit<CompiledCode, "parts"> {
  /** Of the parts: V8 keeps their paths, so code of a copy would name the files of another relais in a trace. */
  readonly folder: string;
  readonly parts: readonly (readonly [string, number])[];
}

/** The files of a folder by name, each with what changes whenever its content does. */
export type CodeNotes = ReadonlyMap<string, string>;

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 40;
const START = 8;
const ALIGNMENT = 8;
const COMPARED_BYTES = 64 * 1024;

export function readCompiledCode(file: string, partsFolder: string): CompiledCode | null {
  try {
    const { uid } = lstatSync(partsFolder);
    if (!isOwnedSafely(lstatSync(dirname(file)), uid)) return null;
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || !isOwnedSafely(stats, uid) || stats.size > MAX_BYTES) return null;
      const bytes = readTwice(descriptor, stats.size / 2);
      return bytes === null ? null : parseCode(bytes, partsFolder);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

function isOwnedSafely({ uid, mode }: Stats, owner: number): boolean {
  return uid === owner && (mode & 0o022) === 0;
}

/** The first half if the second is the same. Only one of them stays in memory: a large process starts others slowly. */
function readTwice(descriptor: number, length: number): Buffer | null {
  if (!Number.isInteger(length) || length < START) return null;
  const bytes = Buffer.allocUnsafeSlow(length);
  const compared = Buffer.allocUnsafeSlow(Math.min(length, COMPARED_BYTES));
  if (!isFilled(descriptor, bytes, 0)) return null;
  for (let at = 0; at < length; at += COMPARED_BYTES) {
    const part = compared.subarray(0, Math.min(COMPARED_BYTES, length - at));
    if (!isFilled(descriptor, part, length + at) || bytes.compare(part, 0, part.length, at, at + part.length) !== 0)
      return null;
  }
  return bytes;
}

function isFilled(descriptor: number, bytes: Buffer, position: number): boolean {
  for (let read = 0; read < bytes.length;) {
    const count = readSync(descriptor, bytes, read, bytes.length - read, position + read);
    if (count === 0) return false;
    read += count;
  }
  return true;
}

function parseCode(bytes: Buffer, partsFolder: string): CompiledCode | null {
  let at = START + bytes.readUInt32LE(0);
  const { folder, ...index }: Index = JSON.parse(bytes.toString("utf8", START, at));
  if (folder !== partsFolder) return null;
  const parts = new Map<string, Buffer>();
  for (const [name, length] of index.parts) {
    parts.set(name, bytes.subarray(at, at + length));
    at += align(length);
  }
  return { ...index, parts };
}

const align = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

function formatCode({ parts, ...about }: CompiledCode, folder: string): Buffer {
  const index: Index = { ...about, folder, parts: Array.from(parts, ([name, { length }]) => [name, length] as const) };
  const text = JSON.stringify(index);
  const padded = [Buffer.from(text), ...parts.values()].map((bytes, at) =>
    Buffer.concat([bytes, Buffer.alloc(align(bytes.length) - bytes.length, at === 0 ? " " : 0)]),
  );
  const whole = Buffer.concat([Buffer.alloc(START), ...padded]);
  whole.writeUInt32LE(align(Buffer.byteLength(text)), 0);
  return Buffer.concat([whole, whole]);
}

/** Only the owner of the parts writes: a file of another user would be in the way of an update. */
export function writeCompiledCode(file: string, partsFolder: string, code: CompiledCode): void {
  const folder = dirname(file);
  const { uid } = lstatSync(partsFolder);
  const bytes = formatCode(code, partsFolder);
  if (uid !== process.geteuid?.() || bytes.length > MAX_BYTES) return;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || !isOwnedSafely(stats, uid)) return;
  removeOldCode(folder, file);
  const fresh = join(folder, `new-${process.pid}-${process.hrtime.bigint()}`);
  try {
    writeFileSync(fresh, bytes, { flag: "wx", mode: 0o644 });
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** Code of other builds, files that a killed process left, and everything if that is too much. */
function removeOldCode(folder: string, file: string): void {
  const [build = ""] = basename(file).split("-");
  const names = readdirSync(folder);
  const isFull = names.length >= MAX_FILES;
  for (const name of names) if (isFull || !name.startsWith(build)) rmSync(join(folder, name), { force: true });
}

export function noteCodeFiles(folder: string): CodeNotes {
  return new Map(listNames(folder).map((name) => [name, noteFile(join(folder, name))]));
}

/** Removes all code if a file is new or changed since it was noted. The code of another relais is lost with it. */
export function dropForgedCode(folder: string, notes: CodeNotes): void {
  try {
    if (lstatSync(folder).isDirectory()) {
      const isForged = listNames(folder).some((name) => notes.get(name) !== noteFile(join(folder, name)));
      if (!isForged) return;
    }
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is not there, or nobody of this user can write there.
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** No program can set the time of the last change of an entry. */
function noteFile(path: string): string {
  const { ino, ctimeNs, size } = lstatSync(path, { bigint: true });
  return [ino, ctimeNs, size].join(" ");
}
