/**
 * The paths of an index, read without git and written to a private one.
 *
 * Only the plain case is read here. Whatever git would expand, refuse or correct is left to git.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { readNow } from "../files/read-now.ts";
import { isUnusualName } from "../git/unusual-name.ts";
import { type IndexEntry, readIndexFile } from "./git-index.ts";
import { encodeIndexEntry } from "./index-entry.ts";
import { listExtensions } from "./index-extensions.ts";

/** Of SHA-1; repositories with other ids are left to git. */
const ID_BYTES = 20;
const INDEX_BYTES_MAX = 1024 * 1024 * 1024;
const MODES = new Set([0o100644, 0o100755, 0o120000, 0o160000]);
const LINK_MODE = 0o120000;
/** A link must not take the place of git's own files. */
const GIT_LINK = /(?:^|\/)\.?gi/i;

/** In git's order, with one entry for each path. Null where git must be asked. */
export function readPlainIndex(gitDir: string): readonly IndexEntry[] | null {
  try {
    const bytes = readNow(join(gitDir, "index"), { bytesMax: INDEX_BYTES_MAX });
    if (bytes === null) return [];
    const index = readIndexFile(bytes);
    const { entries } = index;
    const isRead = (entry: IndexEntry, at: number): boolean =>
      entry.id.length === 2 * ID_BYTES && isPlain(entry) && isAfter(entry, entries[at - 1]);
    return entries.every(isRead) && !listExtensions(bytes, index).some(isRequired) ? entries : null;
  } catch {
    return null;
  }
}

/** An extension whose name begins with a small letter changes the meaning of the entries. */
function isRequired({ name }: { readonly name: string }): boolean {
  return !/^[A-Z]/.test(name);
}

function isPlain({ path, mode, stage, id }: IndexEntry): boolean {
  const isFileOfGit = isUnusualName(path) || (mode === LINK_MODE && GIT_LINK.test(path));
  return stage === 0 && MODES.has(mode) && !/^0+$/.test(id) && !isFileOfGit;
}

/** Byte strings compare as git compares names. */
function isAfter({ path }: IndexEntry, previous: IndexEntry | undefined): boolean {
  return previous === undefined || previous.path < path;
}

interface WrittenEntry extends Pick<IndexEntry, "path" | "mode" | "id"> {
  readonly skipWorktree: boolean;
}

/** Beginnings of entries, by path. */
type EntryHeads = ReadonlyMap<string, Buffer>;

const MODE_AT = 24;
const ID_AT = 40;

/** An index without times and sizes, so that git compares every file with its content, but for those that are known. */
export function encodeIndex(entries: readonly WrittenEntry[], known: EntryHeads = new Map()): Buffer {
  const head = Buffer.from("DIRC\0\0\0\0\0\0\0\0", "latin1");
  head.writeUInt32BE(entries.some(({ skipWorktree }) => skipWorktree) ? 3 : 2, 4);
  head.writeUInt32BE(entries.length, 8);
  const content = Buffer.concat([head, ...entries.map((entry) => encodeEntry(entry, known.get(entry.path)))]);
  return Buffer.concat([content, createHash("sha1").update(content).digest()]);
}

function encodeEntry({ path, mode, id, skipWorktree }: WrittenEntry, known: Buffer | undefined): Buffer {
  if (known !== undefined) return encodeIndexEntry(known, path, skipWorktree);
  const head = Buffer.alloc(ID_AT + ID_BYTES);
  head.writeUInt32BE(mode, MODE_AT);
  head.write(id, ID_AT, "hex");
  return encodeIndexEntry(head, path, skipWorktree);
}
