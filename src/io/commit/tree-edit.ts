/**
 * A tree with some paths changed, made without git and without the index.
 *
 * Only the folders on the way to the paths are read, each checked against its id, and every other entry stays as it is
 * byte for byte. So the new tree differs from the old one in the given paths and in nothing else.
 */
import type { GitSide } from "../git/git-difference.ts";
import { computeObjectId, type ObjectReader } from "../git/object-files.ts";

export interface StagedTree {
  readonly tree: string;
  /** Every path in which the tree differs from the base, with its new entry; null is a deletion. */
  readonly differences: ReadonlyMap<string, GitSide | null>;
}

interface EditedTree extends StagedTree {
  /** The content of the new folders, those deep inside first. */
  readonly folders: readonly Buffer[];
  /** The attributes files of the base that hold for the paths. */
  readonly attributes: readonly string[];
}

interface TreeEntry extends GitSide {
  /** As it was read; null for a new one. */
  readonly bytes: Buffer | null;
}

type Edits = ReadonlyMap<string, GitSide | null>;

interface EditState {
  readonly reader: Pick<ObjectReader, "read">;
  readonly differences: Map<string, GitSide | null>;
  readonly folders: Map<string, Buffer>;
  readonly attributes: string[];
}

const FOLDER = "40000";
const ATTRIBUTES = ".gitattributes";
const TREE_BYTES_MAX = 32 * 1024 * 1024;
const ID_BYTES = 20;
const EMPTY = computeObjectId("tree", Buffer.alloc(0));

/** Thrown where only git knows what to do; nothing was written then. */
class NotPlain extends Error {}

/** Null where only git can do it: an object that it must read, or a file in the place of a folder. */
export function editTree(reader: Pick<ObjectReader, "read">, base: string, edits: Edits): EditedTree | null {
  const state: EditState = { reader, differences: new Map(), folders: new Map(), attributes: [] };
  try {
    const tree = editFolder(state, { id: base, path: "", edits }) ?? addFolder(state, base, Buffer.alloc(0));
    const { differences, attributes, folders } = state;
    return { tree, differences, attributes, folders: [...folders.values()] };
  } catch (error) {
    if (error instanceof NotPlain) return null;
    throw error;
  }
}

interface FolderEdit {
  /** Null where there was none. */
  readonly id: string | null;
  /** With a slash at the end, or empty. */
  readonly path: string;
  /** By their path from this folder. */
  readonly edits: Edits;
}

/** Null for a folder that is empty now. */
function editFolder(state: EditState, { id, path, edits }: FolderEdit): string | null {
  const entries = id === null ? new Map<string, TreeEntry>() : readFolder(state, id);
  if (entries.has(ATTRIBUTES)) state.attributes.push(`${path}${ATTRIBUTES}`);
  for (const [name, { own, below }] of groupEdits(edits)) {
    const before = entries.get(name);
    const inside = { id: findFolder(before), path: `${path}${name}/`, edits: below };
    const folder = below.size === 0 ? inside.id : editFolder(state, inside);
    const file = own === undefined ? findFile(before) : own;
    if (own !== undefined) noteDifference(state, `${path}${name}`, { before: findFile(before), own });
    putEntry(entries, name, { folder, file });
  }
  return entries.size === 0 ? null : addFolder(state, id, renderFolder(entries));
}

interface NewEntry {
  readonly folder: string | null;
  readonly file: GitSide | null;
}

/** An entry that does not change keeps its bytes, and with them a mode of an old kind. */
function putEntry(entries: Map<string, TreeEntry>, name: string, { folder, file }: NewEntry): void {
  // A file in the place of a folder that is still there, or a path inside a submodule.
  if (folder !== null && file !== null) throw new NotPlain();
  const side = folder === null ? file : { mode: FOLDER, id: folder };
  if (side === null) entries.delete(name);
  else if (!isSameSide(entries.get(name) ?? null, side))
    entries.set(name, { mode: side.mode, id: side.id, bytes: null });
}

function findFolder(entry: TreeEntry | undefined): string | null {
  return entry?.mode === FOLDER ? entry.id : null;
}

function findFile(entry: TreeEntry | undefined): TreeEntry | null {
  return entry === undefined || entry.mode === FOLDER ? null : entry;
}

interface NameEdits {
  /** Undefined where the name itself is no path of the change. */
  own: GitSide | null | undefined;
  readonly below: Map<string, GitSide | null>;
}

function groupEdits(edits: Edits): ReadonlyMap<string, NameEdits> {
  const groups = new Map<string, NameEdits>();
  for (const [path, side] of edits) {
    const slash = path.indexOf("/");
    const name = slash === -1 ? path : path.slice(0, slash);
    const group = groups.get(name) ?? { own: undefined, below: new Map<string, GitSide | null>() };
    groups.set(name, group);
    if (slash === -1) group.own = side;
    else group.below.set(path.slice(slash + 1), side);
  }
  return groups;
}

function noteDifference(
  { differences }: EditState,
  path: string,
  { before, own }: { readonly before: GitSide | null; readonly own: GitSide | null },
): void {
  if (!isSameSide(before, own)) differences.set(path, own);
}

function isSameSide(left: GitSide | null, right: GitSide | null): boolean {
  if (left === null || right === null) return left === right;
  return left.id === right.id && readMode(left) === readMode(right);
}

/** Old versions of git stored other permissions, too. */
function readMode({ mode }: GitSide): string {
  if (!mode.startsWith("100")) return mode;
  return (Number.parseInt(mode, 8) & 0o100) === 0 ? "100644" : "100755";
}

function addFolder({ folders }: EditState, before: string | null, content: Buffer): string {
  const id = computeObjectId("tree", content);
  if (id !== before) folders.set(id, content);
  return id;
}

function readFolder({ reader }: EditState, id: string): Map<string, TreeEntry> {
  if (id === EMPTY) return new Map();
  const tree = reader.read(id, { type: "tree", size: null, sizeMax: TREE_BYTES_MAX });
  if (tree === null) throw new NotPlain();
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < tree.length;) {
    const space = tree.indexOf(0x20, at);
    const nameEnd = tree.indexOf(0, space);
    const end = nameEnd + 1 + ID_BYTES;
    const name = tree.toString("latin1", space + 1, nameEnd);
    if (space < 0 || nameEnd < 0 || end > tree.length || entries.has(name)) throw new NotPlain();
    const mode = tree.toString("latin1", at, space);
    entries.set(name, { mode, id: tree.toString("hex", nameEnd + 1, end), bytes: tree.subarray(at, end) });
    at = end;
  }
  return entries;
}

function renderFolder(entries: ReadonlyMap<string, TreeEntry>): Buffer {
  // Git sorts a folder as if its name ended with a slash.
  const named = [...entries].map(([name, entry]) => ({
    order: entry.mode === FOLDER ? `${name}/` : name,
    bytes:
      entry.bytes ?? Buffer.concat([Buffer.from(`${entry.mode} ${name}\0`, "latin1"), Buffer.from(entry.id, "hex")]),
  }));
  return Buffer.concat(named.toSorted((left, right) => (left.order < right.order ? -1 : 1)).map(({ bytes }) => bytes));
}
