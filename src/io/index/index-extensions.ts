import type { IndexFile } from "./git-index.ts";

/** What follows the entries of an index: four letters and some bytes each. */
export function listExtensions(
  bytes: Buffer,
  { extensionsAt, extensionsEnd }: Pick<IndexFile, "extensionsAt" | "extensionsEnd">,
) {
  const extensions: { readonly name: string; readonly data: Buffer }[] = [];
  for (let at = extensionsAt; at + 8 <= extensionsEnd;) {
    const size = bytes.readUInt32BE(at + 4);
    extensions.push({ name: bytes.toString("latin1", at, at + 4), data: bytes.subarray(at + 8, at + 8 + size) });
    at += 8 + size;
  }
  return extensions;
}

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
    const isCurrent = entries >= 0;
    const parent = open.at(-1);
    const path = parent === undefined || parent.path === "" ? name : `${parent.path}/${name}`;
    if (isCurrent) trees.set(path, data.toString("hex", end, end + idBytes));
    at = end + (isCurrent ? idBytes : 0);
    if (parent !== undefined) parent.left -= 1;
    open.push({ path, left: count });
    while (open.at(-1)?.left === 0) open.pop();
  }
  return trees;
}

/** The name of a folder, how many entries it has, and how many folders; fewer than no entries if it is out of date. */
export function readTreeLine(data: Buffer, at: number) {
  const nameEnd = data.indexOf(0, at);
  const lineEnd = data.indexOf(0x0a, nameEnd);
  const counts = /^(?<entries>-?\d+) (?<folders>\d+)$/.exec(data.toString("latin1", nameEnd + 1, lineEnd))?.groups;
  if (nameEnd < 0 || lineEnd < 0 || counts === undefined) throw new Error("the trees of the index cannot be read");
  return {
    name: data.toString("latin1", at, nameEnd),
    entries: Number(counts["entries"]),
    count: Number(counts["folders"]),
    end: lineEnd + 1,
  };
}
