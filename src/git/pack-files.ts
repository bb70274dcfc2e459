/**
 * Reads objects out of packs without git: those that are stored whole, and those that are stored as a difference from
 * another one of the same pack. Everything else, and everything odd, is left to git.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { inflateSync, constants as zlib } from "node:zlib";

export type ObjectType = "blob" | "tree" | "commit";

export interface StoredObject {
  readonly type: ObjectType;
  readonly content: Buffer;
}

export interface ExpectedObject {
  /** Null where any will do. */
  readonly type: ObjectType | null;
  /** Null where only the greatest size is known. */
  readonly size: number | null;
  readonly sizeMax: number;
}

/** What cannot be compressed grows by five bytes for each block, and by a few for the stream. */
export function boundPacked(size: number): number {
  return size + 5 * Math.ceil(size / 16_000) + 64;
}

/** Null where the bytes are no such stream, or hold more than was asked for. */
export function inflate(bytes: Buffer, bytesMax: number): Buffer | null {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, bytesMax) });
  } catch {
    return null;
  }
}

/** Enough for the sizes at the beginning of an object, however it is compressed. */
export const BEGINNING_BYTES = 1024;

/** What the beginning of a stream holds; null where it is none. */
export function inflateBeginning(bytes: Buffer): Buffer | null {
  try {
    return inflateSync(bytes, { finishFlush: zlib.Z_SYNC_FLUSH });
  } catch {
    return null;
  }
}

interface Pack {
  readonly pack: number;
  readonly index: number;
  readonly indexBytes: number;
  readonly known: KnownIndex;
}

/** What was read of an index: one who looks up thousands of ids asks for the same parts again and again. */
interface KnownIndex {
  head: Buffer | null;
  /** By the first byte of the ids. */
  readonly buckets: Map<number, Bucket | null>;
}

/** The ids with the same first byte in their order, and where their objects are. */
interface Bucket {
  readonly names: Buffer;
  readonly offsets: Buffer;
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function openPacks(folder: string) {
  let opened: Pack[] | null = null;
  const list = (): readonly Pack[] => {
    opened ??= readdirSync(folder)
      .filter((name) => name.endsWith(".idx") && existsSync(join(folder, name.replace(/idx$/, "pack"))))
      .flatMap((name) => openPack(join(folder, name)) ?? []);
    return opened;
  };
  // Where something else is in the place of a pack, or of a part of it, git says what.
  const tryPacks = <T>(look: (packs: readonly Pack[]) => T, otherwise: T): T => {
    try {
      return look(list());
    } catch {
      return otherwise;
    }
  };
  return {
    has: (id: string): boolean => tryPacks((packs) => packs.some((one) => findOffset(one, id) !== null), false),
    read: (id: string, expected: ExpectedObject): StoredObject | null =>
      tryPacks((packs) => {
        for (const one of packs) {
          const offset = findOffset(one, id);
          if (offset !== null) return readPacked(one.pack, offset, expected);
        }
        return null;
      }, null),
    measure: (id: string): number | null =>
      tryPacks((packs) => {
        for (const one of packs) {
          const offset = findOffset(one, id);
          if (offset !== null) return measurePacked(one.pack, offset);
        }
        return null;
      }, null),
    close: (): void => {
      for (const { pack, index } of opened ?? []) {
        closeSync(pack);
        closeSync(index);
      }
      opened = null;
    },
  };
}

function openPack(path: string): Pack | null {
  const opened: number[] = [];
  try {
    for (const name of [path, path.replace(/idx$/, "pack")]) opened.push(openSync(name, READ));
    const [index = -1, pack = -1] = opened;
    return { index, pack, indexBytes: fstatSync(index).size, known: { head: null, buckets: new Map() } };
  } catch {
    for (const descriptor of opened) closeSync(descriptor);
    return null;
  }
}

const MAGIC = 0xff_74_4f_63;
const FANOUT = 8;
const NAMES = FANOUT + 256 * 4;
const NAME_BYTES = 20;
/** The checksum of each entry and its place; its name comes before. */
const REST_BYTES = 8;
const FAR = 0x80_00_00_00;

/** An index of ten million objects is not kept whole. */
const BUCKET_BYTES_MAX = 256 * 1024;

/** Looks an id up in an index of version 2. Null where it is not there, or far into a very large pack. */
function findOffset(pack: Pack, id: string): number | null {
  const { buckets } = pack.known;
  const name = Buffer.from(id, "hex");
  const first = name[0] ?? 0;
  const bucket = buckets.get(first) ?? readBucket(pack, first);
  if (bucket === null || bucket.names.length <= BUCKET_BYTES_MAX) buckets.set(first, bucket);
  const position = bucket === null ? null : findName(bucket.names, name);
  return bucket === null || position === null
    ? null
    : readOffset(bucket.offsets.subarray(4 * position, 4 * position + 4));
}

function readBucket({ index, indexBytes, known }: Pack, first: number): Bucket | null {
  const head = (known.head ??= readAt(index, 0, NAMES));
  if (head.length < NAMES || head.readUInt32BE(0) !== MAGIC || head.readUInt32BE(4) !== 2) return null;
  const start = first === 0 ? 0 : head.readUInt32BE(FANOUT + 4 * (first - 1));
  const end = head.readUInt32BE(FANOUT + 4 * first);
  const all = head.readUInt32BE(NAMES - 4);
  // A damaged index may speak of more names than it has room for.
  if (start >= end || end > all || NAMES + (NAME_BYTES + REST_BYTES) * all > indexBytes) return null;
  return {
    names: readAt(index, NAMES + NAME_BYTES * start, NAME_BYTES * (end - start)),
    offsets: readAt(index, NAMES + (NAME_BYTES + 4) * all + 4 * start, 4 * (end - start)),
  };
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

const HEADER_BYTES_MAX = 32;
const TYPES: Readonly<Record<number, ObjectType>> = { 1: "commit", 2: "tree", 3: "blob" };
const DELTA = 6;
/** Git's own limit is 50 unless somebody chose another one. */
const DELTAS_MAX = 64;

/** The size that an entry says its object has; a difference says it after the size of its base. */
function measurePacked(pack: number, start: number): number | null {
  const header = readStoredHeader(readAt(pack, start, HEADER_BYTES_MAX));
  if (TYPES[header.type] !== undefined) return header.size;
  const beginning = header.type === DELTA ? readAt(pack, start + header.end, BEGINNING_BYTES) : null;
  const sizes = beginning === null ? null : inflateBeginning(beginning);
  if (sizes === null || sizes.length === 0) return null;
  return readSize(sizes, readSize(sizes, 0).end).value;
}

/** Null for an object that is stored as a difference from one of another pack. */
function readPacked(pack: number, start: number, expected: ExpectedObject): StoredObject | null {
  const deltas: Buffer[] = [];
  for (let offset = start; deltas.length <= DELTAS_MAX;) {
    const { header, content } = readStored(pack, offset, expected.sizeMax);
    if (content === null) return null;
    const type = TYPES[header.type];
    if (type !== undefined) {
      const whole = applyDeltas(content, deltas, expected.sizeMax);
      return whole === null ? null : chooseExpected({ type, content: whole }, expected);
    }
    const distance = header.type === DELTA ? header.distance : 0;
    if (distance <= 0 || distance > offset) return null;
    deltas.push(content);
    offset -= distance;
  }
  return null;
}

/** The first one that was read is the last to be applied. */
function applyDeltas(base: Buffer, deltas: readonly Buffer[], sizeMax: number): Buffer | null {
  return deltas.reduceRight<Buffer | null>((whole, delta) => whole && applyDelta(whole, delta, sizeMax), base);
}

/** Null for another object than was asked for. */
export function chooseExpected(object: StoredObject, { type, size }: ExpectedObject): StoredObject | null {
  const isSize = object.content.length === (size ?? object.content.length);
  return isSize && object.type === (type ?? object.type) ? object : null;
}

function readStored(pack: number, offset: number, sizeMax: number) {
  const header = readStoredHeader(readAt(pack, offset, HEADER_BYTES_MAX));
  if (header.size > sizeMax) return { header, content: null };
  const content = inflate(readAt(pack, offset + header.end, boundPacked(header.size)), header.size);
  return { header, content: content?.length === header.size ? content : null };
}

/** Three bits of type and four of size, then seven bits of size for each further byte; then how far back the base is. */
function readStoredHeader(bytes: Buffer) {
  const first = bytes[0] ?? 0;
  const type = (first >> 4) & 7;
  const high = (first & 0x80) === 0 ? { value: 0, end: 1 } : readSize(bytes, 1);
  const size = (first & 15) + high.value * 16;
  const base = type === DELTA ? readDistance(bytes, high.end) : { value: 0, end: high.end };
  return { type, size, distance: base.value, end: base.end };
}

/** Seven bits for each byte, the lowest first. */
function readSize(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let scale = 1;
  for (let end = at; ; end += 1, scale *= 128) {
    const byte = bytes[end] ?? 0;
    value += (byte & 0x7f) * scale;
    if ((byte & 0x80) === 0) return { value, end: end + 1 };
  }
}

/** Seven bits for each byte, the highest first, and one more for each byte that goes on. */
function readDistance(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let byte = bytes[at] ?? 0;
  let value = byte & 0x7f;
  let end = at + 1;
  for (; (byte & 0x80) !== 0; end += 1) {
    byte = bytes[end] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end };
}

/** Parts of the base and new bytes by turns; the sizes of both come first. Null where they do not fit. */
function applyDelta(base: Buffer, delta: Buffer, sizeMax: number): Buffer | null {
  const from = readSize(delta, 0);
  const to = readSize(delta, from.end);
  if (from.value !== base.length || to.value > sizeMax) return null;
  const whole = Buffer.alloc(to.value);
  let length = 0;
  for (let at = to.end; at < delta.length;) {
    const { part, end } = readPart(base, delta, at);
    if (part.length === 0 || length + part.length > whole.length) return null;
    length += part.copy(whole, length);
    at = end;
  }
  return length === whole.length ? whole : null;
}

function readPart(base: Buffer, delta: Buffer, at: number): { readonly part: Buffer; readonly end: number } {
  const command = delta.readUInt8(at);
  if ((command & 0x80) !== 0) return readCopy(base, delta, at);
  const end = at + 1 + command;
  return { part: delta.subarray(at + 1, end), end };
}

/** Seven bits say which bytes of the place (four) and of the length (three) follow. */
function readCopy(base: Buffer, delta: Buffer, at: number): { readonly part: Buffer; readonly end: number } {
  const command = delta.readUInt8(at);
  let end = at + 1;
  const read = (first: number, count: number): number => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1) {
      if ((command & (1 << (first + bit))) === 0) continue;
      value += (delta[end] ?? 0) * 2 ** (8 * bit);
      end += 1;
    }
    return value;
  };
  const start = read(0, 4);
  const length = read(4, 3) || 0x1_00_00;
  return { part: base.subarray(start, start + length), end };
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
