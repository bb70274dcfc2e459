import type { IndexFile } from "./git-index.ts";

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
