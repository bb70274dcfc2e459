/**
 * Which files of a small working tree are as the index says, found by reading each of them. The times of those go into
 * a private index, so that git reads only the others.
 */
import { makeStorageTest } from "../commit/stored-as-is.ts";
import { toBytePath } from "../files/byte-path.ts";
import type { FilterSettings } from "../git/filter-settings.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readEntry } from "./file-entry.ts";
import type { IndexEntry } from "./git-index.ts";

/** In a larger tree git is faster, however long it takes to start. */
const ENTRIES_MAX = 500;
const BYTES_MAX = 16 * 1024 * 1024;
const GITLINK = 0o160000;
const ATTRIBUTES = /(?:^|\/)\.gitattributes$/;

interface UnchangedEntries {
  /** The beginnings of unchanged entries, by path. */
  readonly heads: ReadonlyMap<string, Buffer>;
  /** Of all files, changed ones included. */
  readonly contents: readonly Buffer[];
}

/** Null where git must compare. */
export function readUnchanged({ root }: Repository, entries: readonly IndexEntry[]): UnchangedEntries | null {
  if (entries.length > ENTRIES_MAX || entries.some(({ mode }) => mode === GITLINK)) return null;
  try {
    return readAll(toBytePath(root), entries);
  } catch {
    return null; // Git says what is wrong with the entry.
  }
}

function readAll(root: string, entries: readonly IndexEntry[]): UnchangedEntries | null {
  const heads = new Map<string, Buffer>();
  const contents: Buffer[] = [];
  let bytes = 0;
  for (const { path, mode, id } of entries) {
    const read = readEntry(root, path, { mode: mode.toString(8), id });
    bytes += read?.content.length ?? 0;
    // Git takes attributes that are missing in the worktree from the index.
    if (bytes > BYTES_MAX || (read === null && ATTRIBUTES.test(path))) return null;
    if (read !== null) contents.push(read.content);
    if (read?.head) heads.set(path, read.head);
  }
  return { heads, contents };
}

interface StoredTree {
  readonly repository: Repository;
  readonly settings: FilterSettings;
  readonly entries: readonly IndexEntry[];
}

/** The beginnings of unchanged entries; null unless git stores all files byte for byte: another hash is another content. */
export function findKnown(
  unchanged: UnchangedEntries | null,
  { repository, settings, entries }: StoredTree,
): ReadonlyMap<string, Buffer> | null {
  if (unchanged === null) return null;
  const isAsIs = makeStorageTest({ repository, settings, paths: entries.map(({ path }) => path) });
  return isAsIs !== null && unchanged.contents.every(isAsIs) ? unchanged.heads : null;
}
