/**
 * Objects of a repository, written and read without git.
 *
 * A process for each observation would cost more than everything else in a small tick. The files are git's own: loose
 * objects, and packs whose objects are stored whole, as `fast-import --depth=0` and `pack-objects --window=0` write
 * them. What is in another form is left to git.
 */
import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { readNow } from "../files/read-now.ts";
import type { RedoLog } from "../files/redo-log.ts";

type ObjectType = "blob" | "tree" | "commit";

interface ObjectPlace {
  readonly gitDir: string;
  readonly redo: Pick<RedoLog, "write">;
}

/** Stores an object and answers with its id. It is safe after the next sync of the redo log. */
export function writeObject({ gitDir, redo }: ObjectPlace, type: ObjectType, content: Buffer): string {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash("sha1").update(whole).digest("hex");
  redo.write(locateObject(gitDir, id), deflateSync(whole, { level: 1 }), 0o400);
  return id;
}

function locateObject(gitDir: string, id: string): string {
  return join(gitDir, "objects", id.slice(0, 2), id.slice(2));
}

/** The content of a blob, checked against its id; null where it is not found in a known form, or is damaged. */
export function openBlobReader(gitDir: string) {
  const packs = openPacks(join(gitDir, "objects", "pack"));
  return {
    read: (id: string, size: number): Buffer | null => {
      const expected = { type: "blob", size } as const;
      const content = readLoose(gitDir, id, expected) ?? packs.read(id, expected);
      return content !== null && computeObjectId("blob", content) === id ? content : null;
    },
    /** Whether there is such an object; one in a pack is not read. */
    has: (id: string): boolean => isLooseWhole(gitDir, id) || packs.has(id),
    close: packs.close,
  };
}

const LOOSE_BYTES_MAX = 64 * 1024 * 1024;

function isLooseWhole(gitDir: string, id: string): boolean {
  const whole = readOrdinary(locateObject(gitDir, id), LOOSE_BYTES_MAX);
  return whole !== null && createHash("sha1").update(whole).digest("hex") === id;
}

const COMMIT_BYTES_MAX = 64 * 1024;

/** Whether a commit is there and undamaged; false also where only git can tell. */
export function isPlainCommit(gitDir: string, id: string): boolean {
  const packs = openPacks(join(gitDir, "objects", "pack"));
  try {
    const expected = { type: "commit", size: null } as const;
    const content = readLoose(gitDir, id, expected) ?? packs.read(id, expected);
    return content !== null && computeObjectId("commit", content) === id;
  } finally {
    packs.close();
  }
}

interface ExpectedObject {
  readonly type: "blob" | "commit";
  /** Null for any size of a usual commit. */
  readonly size: number | null;
}

function computeObjectId(type: ObjectType, content: Buffer): string {
  return createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex");
}

function readLoose(gitDir: string, id: string, { type, size }: ExpectedObject): Buffer | null {
  const path = locateObject(gitDir, id);
  const header = Buffer.from(`${type} ${size ?? ""}`);
  const whole = readOrdinary(path, size === null ? COMMIT_BYTES_MAX : header.length + 1 + size);
  const end = whole?.indexOf(0) ?? -1;
  if (whole === null || end === -1 || !whole.subarray(0, header.length).equals(header)) return null;
  const content = whole.subarray(end + 1);
  return content.length === Number(whole.toString("latin1", type.length + 1, end)) ? content : null;
}

/** Git is asked about an entry in the place of the file, and says what is wrong. */
function readOrdinary(path: string, size: number): Buffer | null {
  try {
    const bytes = readNow(path, { bytesMax: boundPacked(size) });
    return bytes === null ? null : inflate(bytes, size);
  } catch {
    return null;
  }
}

/** What cannot be compressed grows by five bytes for each block, and by a few for the stream. */
function boundPacked(size: number): number {
  return size + 5 * Math.ceil(size / 16_000) + 64;
}

/** Null where the bytes are no such stream, or hold more than was asked for. */
function inflate(bytes: Buffer, bytesMax: number): Buffer | null {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, bytesMax) });
  } catch {
    return null;
  }
}

interface Pack {
  readonly pack: number;
  readonly index: number;
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function openPacks(folder: string) {
  let opened: Pack[] | null = null;
  const list = (): readonly Pack[] => {
    opened ??= readdirSync(folder)
      .filter((name) => name.endsWith(".idx") && existsSync(join(folder, name.replace(/idx$/, "pack"))))
      .map((name) => ({
        index: openSync(join(folder, name), READ),
        pack: openSync(join(folder, name.replace(/idx$/, "pack")), READ),
      }));
    return opened;
  };
  return {
    has: (id: string): boolean => list().some(({ index }) => findOffset(index, id) !== null),
    read: (id: string, expected: ExpectedObject): Buffer | null => {
      try {
        for (const { pack, index } of list()) {
          const offset = findOffset(index, id);
          if (offset !== null) return readPacked(pack, offset, expected);
        }
      } catch {
        // Something else is in the place of a pack; git says what.
      }
      return null;
    },
    close: (): void => {
      for (const { pack, index } of opened ?? []) {
        closeSync(pack);
        closeSync(index);
      }
      opened = null;
    },
  };
}

const MAGIC = 0xff_74_4f_63;
const FANOUT = 8;
const NAMES = FANOUT + 256 * 4;
const NAME_BYTES = 20;
const FAR = 0x80_00_00_00;

/** Looks an id up in an index of version 2. Null where it is not there, or far into a very large pack. */
function findOffset(index: number, id: string): number | null {
  const head = readAt(index, 0, NAMES);
  if (head.length < NAMES || head.readUInt32BE(0) !== MAGIC || head.readUInt32BE(4) !== 2) return null;
  const name = Buffer.from(id, "hex");
  const first = name[0] ?? 0;
  const start = first === 0 ? 0 : head.readUInt32BE(FANOUT + 4 * (first - 1));
  const end = head.readUInt32BE(FANOUT + 4 * first);
  if (start >= end) return null;
  const position = findName(readAt(index, NAMES + NAME_BYTES * start, NAME_BYTES * (end - start)), name);
  const table = NAMES + (NAME_BYTES + 4) * head.readUInt32BE(NAMES - 4);
  return position === null ? null : readOffset(readAt(index, table + 4 * (start + position), 4));
}

/** The highest bit means that the offset is in another table. */
function readOffset(bytes: Buffer): number | null {
  const offset = bytes.length === 4 ? bytes.readUInt32BE(0) : FAR;
  return offset < FAR ? offset : null;
}

function findName(names: Buffer, name: Buffer): number | null {
  let low = 0;
  let high = names.length / NAME_BYTES;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = names.compare(name, 0, NAME_BYTES, middle * NAME_BYTES, (middle + 1) * NAME_BYTES);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return null;
}

const HEADER_BYTES_MAX = 16;
const TYPES = { commit: 1, blob: 3 } as const;

/** Null for an object that is stored as a difference. */
function readPacked(pack: number, offset: number, { type, size }: ExpectedObject): Buffer | null {
  const bytes = readAt(pack, offset, HEADER_BYTES_MAX + boundPacked(size ?? COMMIT_BYTES_MAX));
  const header = readPackedHeader(bytes);
  if (header.type !== TYPES[type] || header.size !== (size ?? header.size)) return null;
  if (header.size > Math.max(size ?? 0, COMMIT_BYTES_MAX)) return null;
  const content = inflate(bytes.subarray(header.end), header.size);
  return content?.length === header.size ? content : null;
}

/** Three bits of type and four of size, then seven bits of size for each further byte. */
function readPackedHeader(bytes: Buffer): { readonly type: number; readonly size: number; readonly end: number } {
  const first = bytes[0] ?? 0;
  let size = first & 15;
  let end = 1;
  for (let byte = first; (byte & 0x80) !== 0 && end < HEADER_BYTES_MAX; end += 1) {
    byte = bytes[end] ?? 0;
    size += (byte & 0x7f) * 2 ** (4 + 7 * (end - 1));
  }
  return { type: (first >> 4) & 7, size, end };
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const count = readSync(descriptor, buffer, read, length - read, position + read);
    if (count === 0) break;
    read += count;
  }
  return buffer.subarray(0, read);
}
