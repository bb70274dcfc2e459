/** Git's index in the simulated files: version 2, without extensions. */
import { createHash } from "node:crypto";
import type { FileStats } from "../inode.ts";
import type { NodeFiles } from "../node-files.ts";
import { GitFailure, type TreeFile } from "./objects.ts";

const HEADER_BYTES = 12;
const FIXED_BYTES = 62;
const SUM_BYTES = 20;

export function readIndex(files: NodeFiles, path: string): ReadonlyMap<string, TreeFile> {
  if (!files.existsSync(path)) return new Map();
  const data = Buffer.from(files.readFileSync(path));
  const sum = createHash("sha1").update(data.subarray(0, -SUM_BYTES)).digest();
  if (data.toString("latin1", 0, 4) !== "DIRC" || data.readUInt32BE(4) !== 2 || !sum.equals(data.subarray(-SUM_BYTES)))
    throw new GitFailure("fatal: index file corrupt");
  const entries = new Map<string, TreeFile>();
  let at = HEADER_BYTES;
  for (let count = data.readUInt32BE(8); count > 0; count -= 1) {
    const end = data.indexOf(0, at + FIXED_BYTES);
    const mode = data
      .readUInt32BE(at + 24)
      .toString(8)
      .padStart(6, "0");
    const id = data.toString("hex", at + 40, at + 60);
    entries.set(data.toString("latin1", at + FIXED_BYTES, end), { mode, id });
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return entries;
}

export function renderIndex(
  entries: readonly (TreeFile & { readonly path: string; readonly stats: FileStats })[],
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("DIRC", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.length, 8);
  const sorted = entries.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const body = Buffer.concat([header, ...sorted.map(renderEntry)]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** The same index with another entry for a path that it has. */
export function patchEntry(
  data: Buffer,
  entry: TreeFile & { readonly path: string; readonly stats: FileStats },
): Buffer {
  const body = Buffer.from(data.subarray(0, -SUM_BYTES));
  const name = Buffer.from(`${entry.path}\0`, "latin1");
  for (let at = HEADER_BYTES; at < body.length;) {
    const end = body.indexOf(0, at + FIXED_BYTES);
    if (body.subarray(at + FIXED_BYTES, end + 1).equals(name)) renderEntry(entry).copy(body, at);
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

const us = (ms: number | bigint): number => Math.round(Number(ms) * 1000);

function renderEntry({
  path,
  stats,
  mode,
  id,
}: TreeFile & { readonly path: string; readonly stats: FileStats }): Buffer {
  const length = FIXED_BYTES + path.length;
  const data = Buffer.alloc(Math.ceil((length + 1) / 8) * 8);
  const times = [us(stats.ctimeMs), us(stats.mtimeMs)];
  times.forEach((time, index) => {
    data.writeUInt32BE(Math.floor(time / 1_000_000), index * 8);
    data.writeUInt32BE((time % 1_000_000) * 1000, index * 8 + 4);
  });
  const numbers = [stats.dev, stats.ino, Number.parseInt(mode, 8), stats.uid, stats.gid, stats.size];
  numbers.forEach((number, index) => data.writeUInt32BE(Number(number) >>> 0, 16 + index * 4));
  data.write(id, 40, "hex");
  data.writeUInt16BE(Math.min(path.length, 0xfff), 60);
  data.write(path, FIXED_BYTES, "latin1");
  return data;
}
