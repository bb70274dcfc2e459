/**
 * Reads the index that nearly every repository has (one file, names written out, in order, ids of SHA-1) into a few blocks
 * of bytes, several times faster than into objects.
 */
import { endsWithHash, HEADER_BYTES, NAME_LENGTH_MASK, STAT_BYTES } from "./git-index.ts";
import { listExtensions } from "./index-extensions.ts";

/** Sorted by path, as git sorts them. */
export interface EntryBlocks {
  readonly names: Buffer;
  /** Where each name ends; it begins where the one before ends. */
  readonly ends: Uint32Array;
  readonly ids: Buffer;
  readonly idBytes: number;
}

const ID_BYTES = 20;
/** With a name of one byte. No more entries than these have room in the bytes, whatever the header says. */
const ENTRY_BYTES_MIN = 64;

/** Null for every other index, and for one that is damaged. */
export function readPlainEntries(bytes: Buffer): EntryBlocks | null {
  if (bytes.length < HEADER_BYTES + ID_BYTES || bytes.toString("latin1", 0, 4) !== "DIRC") return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  const isPlain = (version === 2 || version === 3) && count * ENTRY_BYTES_MIN <= bytes.length;
  return isPlain && endsWithHash(bytes, "sha1", ID_BYTES) ? readEntries(bytes, version, count) : null;
}

function readEntries(bytes: Buffer, version: number, count: number): EntryBlocks | null {
  const names = Buffer.allocUnsafeSlow(bytes.length);
  const ends = new Uint32Array(count);
  const ids = Buffer.alloc(count * ID_BYTES);
  let [offset, end, begin] = [HEADER_BYTES, 0, 0];
  for (let index = 0; index < count; index += 1) {
    const { nameAt, length } = locateName(bytes, offset, version);
    // For so few bytes a loop is faster than a call of the engine's own.
    for (let at = 0; at < ID_BYTES; at += 1) ids[index * ID_BYTES + at] = bytes[offset + STAT_BYTES + at] ?? 0;
    for (let at = 0; at < length; at += 1) names[end + at] = bytes[nameAt + at] ?? 0;
    // A path may have several stages, which follow each other.
    if (length === 0 || !isInOrder(names, { begin, end, length })) return null;
    begin = end;
    ends[index] = end += length;
    offset += ((nameAt + length - offset) & ~7) + 8;
  }
  const extensions = listExtensions(bytes, { extensionsAt: offset, extensionsEnd: bytes.length - ID_BYTES });
  if (extensions.some(({ name }) => name === "link")) return null;
  return { names: Buffer.from(names.subarray(0, end)), ends, ids, idBytes: ID_BYTES };
}

/** With no length where the one in the flags is not that of the name. */
function locateName(bytes: Buffer, offset: number, version: number) {
  const flagsAt = offset + STAT_BYTES + ID_BYTES;
  const flags = ((bytes[flagsAt] ?? 0) << 8) | (bytes[flagsAt + 1] ?? 0);
  const nameAt = flagsAt + (version === 3 && (flags & 0x4000) !== 0 ? 4 : 2);
  const length = flags & NAME_LENGTH_MASK;
  return { nameAt, length: length !== NAME_LENGTH_MASK && endsAt(bytes, nameAt, length) ? length : 0 };
}

function endsAt(bytes: Buffer, nameAt: number, length: number): boolean {
  for (let at = nameAt; at < nameAt + length; at += 1) if (bytes[at] === 0) return false;
  return bytes[nameAt + length] === 0;
}

/** Whether the name that begins at `end` does not come before the one that begins at `begin`. */
function isInOrder(
  names: Buffer,
  { begin, end, length }: { readonly begin: number; readonly end: number; readonly length: number },
): boolean {
  for (let at = 0; begin + at < end; at += 1) {
    if (at === length) return false;
    const difference = (names[begin + at] ?? 0) - (names[end + at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return true;
}
