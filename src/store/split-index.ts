/**
 * Reads an index whose bulk lies in a second file, as `git update-index --split-index` leaves it.
 *
 * The small file has two bitmaps of the deleted and the replaced entries of the shared one. The two are joined as git
 * joins them, because a flag may move from one file to the other.
 */
import { type IndexEntry, type IndexFile, readIndexFile } from "./git-index.ts";
import { listExtensions } from "./index-extensions.ts";

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
  return joinHalves({ shared, own: index.entries, deleted: deleted.bits, replaced: replaced.bits });
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

interface Halves {
  readonly shared: readonly IndexEntry[];
  readonly own: readonly IndexEntry[];
  readonly deleted: readonly number[];
  readonly replaced: readonly number[];
}

/** The first entries of our own have no name: they stand, in order, for the replaced ones of the shared file. */
function joinHalves({ shared, own, deleted, replaced }: Halves): readonly IndexEntry[] {
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
