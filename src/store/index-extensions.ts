import { type IndexFile, type IndexEntry, readIndexFile } from "./git-index.ts";

/** What follows the entries of an index: four letters and some bytes each. Throws where one is longer than the file. */
export function listExtensions(
  bytes: Buffer,
  { extensionsAt, extensionsEnd }: Pick<IndexFile, "extensionsAt" | "extensionsEnd">,
) {
  const extensions: { readonly name: string; readonly data: Buffer }[] = [];
  for (let at = extensionsAt; at + 8 <= extensionsEnd;) {
    const end = at + 8 + bytes.readUInt32BE(at + 4);
    if (end > extensionsEnd) throw new Error("an extension of the index is longer than it");
    extensions.push({ name: bytes.toString("latin1", at, at + 4), data: bytes.subarray(at + 8, end) });
    at = end;
  }
  return extensions;
}

const UNREADABLE = "the trees of the index cannot be read";

/**
 * The trees that an index remembers, by byte path; git commits them without a look at the entries. Those that are out
 * of date have no id and are left out. Throws where the bytes are something else.
 */
export function readCachedTrees(data: Buffer, idBytes: number): ReadonlyMap<string, string> {
  const trees = new Map<string, string>();
  /** The folders whose subfolders are still to come, and how many. */
  const open: { readonly path: string; left: number }[] = [];
  for (let at = 0; at < data.length;) {
    const { name, entries, count, end } = readTreeLine(data, at);
    const parent = open.at(-1) ?? startTrees(at);
    const path = parent.path === "" ? name : `${parent.path}/${name}`;
    at = entries < 0 ? end : end + idBytes;
    if (entries >= 0) trees.set(path, readTreeId(data, end, at));
    parent.left -= 1;
    open.push({ path, left: count });
    while (open.at(-1)?.left === 0) open.pop();
  }
  if (open.length > 0) throw new Error(UNREADABLE);
  return trees;
}

/** Above the first folder; there is one of these alone. */
function startTrees(at: number): { readonly path: string; left: number } {
  if (at > 0) throw new Error(UNREADABLE);
  return { path: "", left: 1 };
}

function readTreeId(data: Buffer, at: number, end: number): string {
  if (end > data.length) throw new Error(UNREADABLE);
  return data.toString("hex", at, end);
}

/** The name of a folder, how many entries it has, and how many folders; fewer than no entries if it is out of date. */
export function readTreeLine(data: Buffer, at: number) {
  const nameEnd = data.indexOf(0, at);
  const lineEnd = data.indexOf(0x0a, nameEnd);
  const counts = /^(?<entries>-?\d+) (?<folders>\d+)$/.exec(data.toString("latin1", nameEnd + 1, lineEnd))?.groups;
  if (nameEnd < 0 || lineEnd < 0 || counts === undefined) throw new Error(UNREADABLE);
  return {
    name: data.toString("latin1", at, nameEnd),
    entries: Number(counts["entries"]),
    count: Number(counts["folders"]),
    end: lineEnd + 1,
  };
}

/**
 * Reads an index whose bulk lies in a second file, as `git update-index --split-index` leaves it.
 *
 * The small file has two bitmaps of the deleted and the replaced entries of the shared one. The two are joined as git
 * joins them, because a flag may move from one file to the other.
 */

/**
 * The entries of an index, each with a name: only the small file of a split index may leave names out.
 * `sharedIndex` gives the content of `sharedindex.<id>`, or null where there is none.
 */
export function readJoinedIndex(bytes: Buffer, sharedIndex: (id: string) => Buffer | null): readonly IndexEntry[] {
  const entries = joinEntries(bytes, sharedIndex);
  if (entries.some(({ path }) => path === "")) throw new Error("an entry of the index has no name");
  return entries;
}

function joinEntries(bytes: Buffer, sharedIndex: (id: string) => Buffer | null): readonly IndexEntry[] {
  const index = readIndexFile(bytes);
  const link = findLink(bytes, index);
  if (link === null) return index.entries;
  const id = link.toString("hex", 0, index.idBytes);
  // An id of zeros is that of an index which is about to be split and has no second file yet.
  if (/^0+$/.test(id)) return index.entries;
  const content = sharedIndex(id);
  if (content === null) throw new Error(`the shared part ${id} of the index is missing`);
  // Its name is the hash of all in it, and git takes no other file for it.
  if (!content.subarray(-index.idBytes).equals(link.subarray(0, index.idBytes)))
    throw new Error(`the shared part ${id} of the index is another file`);
  const shared = readIndexFile(content).entries;
  const deleted = readBitmap(link, { at: index.idBytes, sizeMax: shared.length });
  const replaced = readBitmap(link, { at: deleted.end, sizeMax: shared.length });
  return joinHalves(shared, index.entries, deleted.bits, replaced.bits);
}

/** They change what the entries mean; git refuses an index with one that it does not know. */
const REQUIRED = /^[^A-Z]/;

function findLink(bytes: Buffer, index: IndexFile): Buffer | null {
  const required = listExtensions(bytes, index).filter(({ name }) => REQUIRED.test(name));
  // A sparse index (`sdir`) shows it by its entries as well.
  if (required.some(({ name }) => name !== "link" && name !== "sdir"))
    throw new Error("the index has an extension that changes its meaning and is not known");
  return required.find(({ name }) => name === "link")?.data ?? null;
}

/** The first entries of our own have no name: they stand, in order, for the replaced ones of the shared file. */
function joinHalves(
  shared: readonly IndexEntry[],
  own: readonly IndexEntry[],
  deleted: readonly number[],
  replaced: readonly number[],
): readonly IndexEntry[] {
  const joined = [...shared];
  for (const [order, position] of replaced.entries()) {
    const old = shared[position];
    const entry = own[order];
    if (old === undefined || entry === undefined) throw new Error("the index refers to entries it lacks");
    joined[position] = { ...entry, path: old.path };
  }
  const gone = new Set(deleted);
  return [...joined.filter((_, position) => !gone.has(position)), ...own.slice(replaced.length)];
}

const WORD_BITS = 64;

/** The positions of the set bits of a bitmap in git's compressed form, which is EWAH, and where the bitmap ends. */
function readBitmap(bytes: Buffer, { at, sizeMax }: { readonly at: number; readonly sizeMax: number }) {
  if (at === bytes.length) return { bits: [], end: at };
  const size = bytes.readUInt32BE(at);
  const words = bytes.readUInt32BE(at + 4);
  if (size > sizeMax) throw new Error("the index refers to entries that its shared part lacks");
  const bits: number[] = [];
  let position = 0;
  let literals = 0;
  for (let word = 0; word < words; word += 1) {
    const value = bytes.readBigUInt64BE(at + 8 + 8 * word);
    if (literals > 0) {
      literals -= 1;
      bits.push(...listBits(value, position));
      position += WORD_BITS;
    } else {
      const run = Math.min(Number((value >> 1n) & 0xffffffffn) * WORD_BITS, size - position);
      if ((value & 1n) === 1n) for (let bit = 0; bit < run; bit += 1) bits.push(position + bit);
      position += Math.max(0, run);
      literals = Number(value >> 33n);
    }
  }
  return { bits, end: at + 8 + 8 * words + 4 };
}

function listBits(value: bigint, position: number): readonly number[] {
  const bits: number[] = [];
  for (let bit = 0; bit < WORD_BITS; bit += 1) if (((value >> BigInt(bit)) & 1n) === 1n) bits.push(position + bit);
  return bits;
}
