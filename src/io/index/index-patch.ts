/**
 * A new index, made from the bytes of the old one without git: some entries are put, replaced or removed, and all others
 * stay byte for byte, with their flags and times.
 *
 * As git itself would do it with the settings of relais, remembered trees of the changed folders are forgotten, and so
 * is what a file system monitor or a cache of untracked files noted. Whatever is unusual is left to git.
 */
import { createHash } from "node:crypto";
import { encodeIndexEntry } from "./index-entry.ts";
import { listExtensions, readTreeLine } from "./index-extensions.ts";

export interface IndexPatch {
  /** The seconds of the time of the old file. An entry that is not older may have been changed since, unnoticed. */
  readonly writtenAt: number;
  /** The new entries by their byte path, without name; null removes one. */
  readonly entries: ReadonlyMap<string, Buffer | null>;
  /** Whether the file of such an entry was looked at, and git will see a change of it. */
  readonly isNoticed: (entry: YoungEntry) => boolean;
}

export interface YoungEntry {
  readonly path: string;
  readonly id: string;
  readonly seconds: number;
  readonly size: number;
}

const HEADER_BYTES = 12;
const FLAGS_AT = 60;
const NAME_AT = FLAGS_AT + 2;
const ID_BYTES = 20;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
/** More of them are looked at by git. */
const YOUNG_MAX = 500;

/** Null where git must do it. */
export function patchIndex(bytes: Buffer, patch: IndexPatch): Buffer | null {
  const entries = readEntries(bytes);
  if (entries === null || !areNoticed(entries, patch)) return null;
  const joined = joinEntries(entries, patch.entries);
  const extensionsAt = entries.at(-1)?.end ?? HEADER_BYTES;
  const extensions = patchExtensions(bytes, extensionsAt, patch.entries.keys());
  if (joined === null || extensions === null) return null;
  const header = Buffer.from(bytes.subarray(0, HEADER_BYTES));
  header.writeUInt32BE(joined.length, HEADER_BYTES - 4);
  const body = Buffer.concat([header, ...joined, ...extensions]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

interface StoredEntry {
  readonly path: string;
  readonly bytes: Buffer;
  readonly end: number;
}

/** Null for unmerged paths, and for what is no index of a version that is known here. */
function readEntries(bytes: Buffer): readonly StoredEntry[] | null {
  const end = bytes.length - ID_BYTES;
  if (!isKnownIndex(bytes)) return null;
  const entries: StoredEntry[] = [];
  let at = HEADER_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flags = bytes.readUInt16BE(at + FLAGS_AT);
    const nameAt = at + NAME_AT + ((flags & EXTENDED) === 0 ? 0 : 2);
    const nameEnd = bytes.indexOf(0, nameAt);
    const next = at + (((nameEnd - at) & ~7) + 8);
    if ((flags & STAGE) !== 0 || nameEnd <= nameAt || next > end) return null;
    entries.push({ path: bytes.toString("latin1", nameAt, nameEnd), bytes: bytes.subarray(at, next), end: next });
    at = next;
  }
  return entries;
}

/** Version 2 or 3, undamaged, with the usual hash. */
function isKnownIndex(bytes: Buffer): boolean {
  const end = bytes.length - ID_BYTES;
  if (end < HEADER_BYTES || bytes.toString("latin1", 0, 4) !== "DIRC") return false;
  const hash = createHash("sha1").update(bytes.subarray(0, end)).digest();
  return [2, 3].includes(bytes.readUInt32BE(4)) && hash.equals(bytes.subarray(end));
}

/** Git looks at such entries whenever it writes the index, because the new file is younger than they are. */
function areNoticed(entries: readonly StoredEntry[], { writtenAt, entries: changed, isNoticed }: IndexPatch): boolean {
  const young = entries.filter(
    ({ path, bytes }) => bytes.readUInt32BE(8) >= writtenAt && bytes.readUInt32BE(24) >> 12 === 8 && !changed.has(path),
  );
  if (young.length > YOUNG_MAX) return false;
  return young.every(({ path, bytes }) =>
    isNoticed({
      path,
      id: bytes.toString("hex", 40, 40 + ID_BYTES),
      seconds: bytes.readUInt32BE(8),
      size: bytes.readUInt32BE(36),
    }),
  );
}

/** All entries in their order; null where one would be a folder of another. */
function joinEntries(
  entries: readonly StoredEntry[],
  changed: ReadonlyMap<string, Buffer | null>,
): readonly Buffer[] | null {
  const kept = entries.filter(({ path }) => !changed.has(path));
  const added = [...changed].flatMap(([path, head]) =>
    head === null ? [] : [{ path, bytes: encodeIndexEntry(head, path) }],
  );
  const sorted = added.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const folders = new Set(sorted.flatMap(({ path }) => listFolders(path)));
  if ([...kept, ...sorted].some(({ path }) => folders.has(path))) return null;
  const joined: Buffer[] = [];
  let from = 0;
  for (const { path, bytes } of sorted) {
    const to = findPlace(kept, path);
    if (kept[findPlace(kept, `${path}/`)]?.path.startsWith(`${path}/`) === true) return null;
    joined.push(...kept.slice(from, to).map((entry) => entry.bytes), bytes);
    from = to;
  }
  return [...joined, ...kept.slice(from).map((entry) => entry.bytes)];
}

function listFolders(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** Where the first entry is that does not come before the path. */
function findPlace(entries: readonly StoredEntry[], path: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((entries[middle]?.path ?? "") < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of no use once the index has changed, or with the settings of relais. */
const DROPPED = new Set(["UNTR", "FSMN", "EOIE", "IEOT"]);

/** Null where one of them changes the meaning of the entries, or is not known. */
function patchExtensions(bytes: Buffer, extensionsAt: number, paths: Iterable<string>): readonly Buffer[] | null {
  const changed = [...paths];
  const patched: Buffer[] = [];
  for (const { name, data } of listExtensions(bytes, { extensionsAt, extensionsEnd: bytes.length - ID_BYTES })) {
    if (DROPPED.has(name)) continue;
    if (name !== "TREE" && name !== "REUC") return null;
    const content = name === "TREE" ? forgetTrees(data, changed) : data;
    const head = Buffer.from(`${name}\0\0\0\0`, "latin1");
    head.writeUInt32BE(content.length, 4);
    patched.push(head, content);
  }
  return patched;
}

interface CachedTree {
  readonly name: string;
  /** How many entries it has, and its id; null once it is out of date. */
  current: { readonly entries: number; readonly id: Buffer } | null;
  readonly folders: Map<string, CachedTree>;
}

/** The trees that the index remembers, without those of the folders on the way to the paths. */
function forgetTrees(data: Buffer, paths: readonly string[]): Buffer {
  if (data.length === 0) return data;
  const { tree } = readTree(data, 0);
  for (const path of paths) {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let folder: CachedTree | undefined = tree;
    for (const part of [...parts, null]) {
      if (folder === undefined) break;
      folder.current = null;
      if (part === null) folder.folders.delete(name);
      else folder = folder.folders.get(part);
    }
  }
  return Buffer.concat(renderTree(tree));
}

function readTree(data: Buffer, at: number): { readonly tree: CachedTree; readonly end: number } {
  const line = readTreeLine(data, at);
  const { name, entries, count } = line;
  const idEnd = line.end + (entries < 0 ? 0 : ID_BYTES);
  const current = entries < 0 ? null : { entries, id: data.subarray(line.end, idEnd) };
  const tree: CachedTree = { name, current, folders: new Map() };
  let end = idEnd;
  for (let left = count; left > 0; left -= 1) {
    const below = readTree(data, end);
    tree.folders.set(below.tree.name, below.tree);
    end = below.end;
  }
  return { tree, end };
}

function renderTree({ name, current, folders }: CachedTree): readonly Buffer[] {
  const line = Buffer.from(`${name}\0${current?.entries ?? -1} ${folders.size}\n`, "latin1");
  return [line, ...(current === null ? [] : [current.id]), ...[...folders.values()].flatMap(renderTree)];
}
