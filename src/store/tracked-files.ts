/**
 * The paths and contents of an index, as few blocks of bytes instead of many objects: a large repository has hundreds of
 * thousands, and a tick asks for a handful. All paths are byte strings.
 */
import type { IndexEntry } from "./git-index.ts";
import { readJoinedIndex } from "./index-extensions.ts";

export interface TrackedFile {
  readonly path: string;
  readonly id: string;
}

export interface TrackedFiles {
  /** Also below a folder of a sparse index, which stands for everything in it. */
  readonly has: (path: string) => boolean;
  readonly listWithIds: (ids: ReadonlySet<string>) => readonly TrackedFile[];
  /** In git's order. A folder of a sparse index ends in `/`. */
  readonly files: () => Iterable<TrackedFile>;
  /** The folders that have a tracked file, and the top, which is "". All others end in `/`. */
  readonly folders: () => Iterable<string>;
}

/** Sorted by path, as git sorts them. */
interface EntryBlocks {
  readonly names: Buffer;
  /** Where each name ends; it begins where the one before ends. */
  readonly ends: Uint32Array;
  readonly ids: Buffer;
  readonly idBytes: number;
}

export const NOTHING_TRACKED: TrackedFiles = makeTrackedFiles({
  names: Buffer.alloc(0),
  ends: new Uint32Array(0),
  ids: Buffer.alloc(0),
  idBytes: 20,
});

/** Throws where the bytes are no index; `sharedIndex` as for a split one. */
export function readTrackedFiles(bytes: Buffer, sharedIndex: (id: string) => Buffer | null): TrackedFiles {
  return makeTrackedFiles(blockEntries(readJoinedIndex(bytes, sharedIndex)));
}

function blockEntries(entries: readonly IndexEntry[]): EntryBlocks {
  const sorted = entries.toSorted((left, right) => (left.path < right.path ? -1 : Number(left.path > right.path)));
  const names = Buffer.from(sorted.map(({ path }) => path).join(""), "latin1");
  const ends = new Uint32Array(sorted.length);
  let end = 0;
  for (const [at, { path }] of sorted.entries()) ends[at] = end += path.length;
  const ids = Buffer.from(sorted.map(({ id }) => id).join(""), "hex");
  return { names, ends, ids, idBytes: sorted.length === 0 ? 20 : ids.length / sorted.length };
}

function makeTrackedFiles(blocks: EntryBlocks): TrackedFiles {
  const { names, ends, ids, idBytes } = blocks;
  const readPath = (at: number): string => names.toString("latin1", at === 0 ? 0 : ends[at - 1], ends[at]);
  const readId = (at: number): string => ids.toString("hex", at * idBytes, (at + 1) * idBytes);
  const folders = listSparseFolders(blocks, readPath);
  return {
    has: (path) => isAmong(blocks, path) || folders.some((folder) => path.startsWith(folder)),
    listWithIds: (wanted) => {
      const likely = new Set(Array.from(wanted, (id) => Number.parseInt(id.slice(0, 8), 16)));
      const found: TrackedFile[] = [];
      for (let at = 0; at < ends.length; at += 1) {
        if (likely.has(ids.readUInt32BE(at * idBytes)) && wanted.has(readId(at)))
          found.push({ path: readPath(at), id: readId(at) });
      }
      return found;
    },
    *files() {
      for (let at = 0; at < ends.length; at += 1) yield { path: readPath(at), id: readId(at) };
    },
    folders: () => listFolders(blocks),
  };
}

/** Most files lie beside the one before them. */
function listFolders({ names, ends }: EntryBlocks): Iterable<string> {
  const folders = new Set([""]);
  let [from, lastFrom, lastLength] = [0, 0, 0];
  for (const end of ends) {
    let length = end - from;
    while (length > 0 && names[from + length - 1] !== SLASH) length -= 1;
    if (length !== lastLength || names.compare(names, lastFrom, lastFrom + length, from, from + length) !== 0) {
      folders.add(names.toString("latin1", from, from + length));
      [lastFrom, lastLength] = [from, length];
    }
    from = end;
  }
  return folders;
}

function listSparseFolders({ names, ends }: EntryBlocks, readPath: (at: number) => string): readonly string[] {
  const folders: string[] = [];
  for (const [at, end] of ends.entries()) if (names[end - 1] === SLASH) folders.push(readPath(at));
  return folders;
}

const SLASH = 0x2f;

function isAmong({ names, ends }: EntryBlocks, path: string): boolean {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareName(names, { from: middle === 0 ? 0 : (ends[middle - 1] ?? 0), to: ends[middle] ?? 0 }, path);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** As git compares names: byte by byte, and the shorter one first. */
function compareName(
  names: Buffer,
  { from, to }: { readonly from: number; readonly to: number },
  path: string,
): number {
  const length = Math.min(to - from, path.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (names[from + at] ?? 0) - path.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return to - from - path.length;
}
