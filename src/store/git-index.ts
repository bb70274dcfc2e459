/**
 * Reads git's index file: which paths are tracked, and which carry a flag that hides them.
 *
 * Read here rather than asked of git, because a builder may have made the index lie, and because a sparse or split
 * index would send git looking for objects and files that a private repository does not have.
 */
import { createHash } from "node:crypto";

export interface IndexEntry {
  /** The path as a byte string; ends in `/` for a folder of a sparse index. Empty in the delta of a split index. */
  readonly path: string;
  readonly mode: number;
  readonly stage: number;
  /** The content that is staged. */
  readonly id: string;
  readonly assumeUnchanged: boolean;
  readonly skipWorktree: boolean;
  readonly intentToAdd: boolean;
}

export const HEADER_BYTES = 12;
export const STAT_BYTES = 40;
/** Where a name is as long as this or longer, git looks for its end instead. */
export const NAME_LENGTH_MASK = 0xfff;
/** No system takes a longer path. Without a bound, a few bytes for each entry could stand for names without end. */
const NAME_BYTES_MAX = 4096;

export interface IndexFile {
  readonly entries: readonly IndexEntry[];
  readonly idBytes: number;
  readonly extensionsAt: number;
  readonly extensionsEnd: number;
}

/** Throws a plain error when the bytes are not an index; the caller knows whose fault that is. */
export function readIndexFile(bytes: Buffer): IndexFile {
  const idBytes = measureIds(bytes);
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 0, 4) !== "DIRC") throw new Error("not an index file");
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) throw new Error(`unknown index version ${version}`);
  const count = bytes.readUInt32BE(8);
  const entries: IndexEntry[] = [];
  let offset = HEADER_BYTES;
  let previous = "";
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = readEntry({ bytes, offset, idBytes, version, previous });
    entries.push(entry);
    previous = entry.path;
    offset = next;
  }
  return { entries, idBytes, extensionsAt: offset, extensionsEnd: bytes.length - idBytes };
}

/** The index ends with the hash of all before it, which also shows the hash function of the repository. */
function measureIds(bytes: Buffer): 20 | 32 {
  if (endsWithHash(bytes, "sha1", 20)) return 20;
  if (endsWithHash(bytes, "sha256", 32)) return 32;
  // With `index.skipHash` the place of the hash is left empty.
  if (bytes.length > 32 && bytes.subarray(-20).every((byte) => byte === 0)) {
    return bytes.subarray(-32).every((byte) => byte === 0) ? 32 : 20;
  }
  throw new Error("the checksum of the index is wrong");
}

export function endsWithHash(bytes: Buffer, algorithm: string, length: number): boolean {
  return createHash(algorithm).update(bytes.subarray(0, -length)).digest().equals(bytes.subarray(-length));
}

interface IndexCursor {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly idBytes: number;
  readonly version: number;
  readonly previous: string;
}

function readEntry(cursor: IndexCursor): { readonly entry: IndexEntry; readonly next: number } {
  const { bytes, offset, idBytes, version } = cursor;
  const flagsAt = offset + STAT_BYTES + idBytes;
  const flags = bytes.readUInt16BE(flagsAt);
  const isExtended = version >= 3 && (flags & 0x4000) !== 0;
  const extended = isExtended ? bytes.readUInt16BE(flagsAt + 2) : 0;
  const nameAt = flagsAt + (isExtended ? 4 : 2);
  const { path, end } = version === 4 ? readCompressedName(cursor, nameAt) : readPlainName(cursor, nameAt);
  // Git goes by this length, so a name that is longer or shorter means another path to git than to us.
  if (Math.min(path.length, NAME_LENGTH_MASK) !== (flags & NAME_LENGTH_MASK) || path.length > NAME_BYTES_MAX)
    throw new Error("a name in the index is not as long as it should be");
  const entry = {
    path,
    mode: bytes.readUInt32BE(offset + 24),
    stage: (flags & 0x3000) >> 12,
    id: bytes.toString("hex", offset + STAT_BYTES, flagsAt),
    assumeUnchanged: (flags & 0x8000) !== 0,
    skipWorktree: (extended & 0x4000) !== 0,
    intentToAdd: (extended & 0x2000) !== 0,
  };
  return { entry, next: end };
}

/** Versions 2 and 3: the name, then one to eight NULs up to a multiple of eight. */
function readPlainName({ bytes, offset }: IndexCursor, at: number): { readonly path: string; readonly end: number } {
  const stop = findTerminator(bytes, at);
  return { path: bytes.toString("latin1", at, stop), end: offset + (((stop - offset) & ~7) + 8) };
}

/** Version 4: how many bytes to drop from the previous name, then what follows, then one NUL. */
function readCompressedName(
  { bytes, previous }: IndexCursor,
  at: number,
): { readonly path: string; readonly end: number } {
  let position = at;
  let byte = bytes.readUInt8(position);
  let drop = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    position += 1;
    byte = bytes.readUInt8(position);
    drop = (drop + 1) * 0x80 + (byte & 0x7f);
  }
  if (drop > previous.length) throw new Error("a name in the index takes away more than there is");
  const stop = findTerminator(bytes, position + 1);
  const kept = previous.slice(0, previous.length - drop);
  return { path: kept + bytes.toString("latin1", position + 1, stop), end: stop + 1 };
}

function findTerminator(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(0, from);
  if (at === -1) throw new Error("a name in the index has no end");
  return at;
}
