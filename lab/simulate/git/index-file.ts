/** Git's index in the simulated files: version 2, without extensions. */
import { createHash } from "node:crypto";
import type { FileStats } from "../inode.ts";
import type { NodeFiles } from "../node-files.ts";
import { GitFailure, type TreeFile } from "./objects.ts";

const HEADER_BYTES = 12;
const FIXED_BYTES = 62;
const SUM_BYTES = 20;

export interface IndexFile extends TreeFile {
  /** Of the file as it was when git looked at it last: times, device, inode, owner and size. Zeros are never known. */
  readonly seen: Buffer;
}

const SEEN_BYTES = 40;
const [MODE_AT, MODE_END] = [24, 28];
/** Of a file that git has not looked at. */
export const UNSEEN = Buffer.alloc(SEEN_BYTES);

export function readIndex(files: NodeFiles, path: string): Map<string, IndexFile> {
  if (!files.existsSync(path)) return new Map();
  const data = Buffer.from(files.readFileSync(path));
  const sum = createHash("sha1").update(data.subarray(0, -SUM_BYTES)).digest();
  if (data.toString("latin1", 0, 4) !== "DIRC" || data.readUInt32BE(4) !== 2 || !sum.equals(data.subarray(-SUM_BYTES)))
    throw new GitFailure("fatal: index file corrupt");
  const entries = new Map<string, IndexFile>();
  let at = HEADER_BYTES;
  for (let count = data.readUInt32BE(8); count > 0; count -= 1) {
    const end = data.indexOf(0, at + FIXED_BYTES);
    const mode = data
      .readUInt32BE(at + MODE_AT)
      .toString(8)
      .padStart(6, "0");
    const id = data.toString("hex", at + SEEN_BYTES, at + SEEN_BYTES + SUM_BYTES);
    const seen = Buffer.from(data.subarray(at, at + SEEN_BYTES));
    entries.set(data.toString("latin1", at + FIXED_BYTES, end), { mode, id, seen });
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return entries;
}

export function renderIndex(entries: ReadonlyMap<string, IndexFile>): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("DIRC", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.size, 8);
  const sorted = [...entries].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const body = Buffer.concat([header, ...sorted.map(([path, entry]) => renderEntry(path, entry))]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

const us = (ms: number | bigint): number => Math.round(Number(ms) * 1000);

/** How git knows a file again without reading it. */
export function noteSeen(stats: FileStats): Buffer {
  const seen = Buffer.alloc(SEEN_BYTES);
  const times = [us(stats.ctimeMs), us(stats.mtimeMs)];
  times.forEach((time, index) => {
    seen.writeUInt32BE(Math.floor(time / 1_000_000), index * 8);
    seen.writeUInt32BE((time % 1_000_000) * 1000, index * 8 + 4);
  });
  const numbers = [stats.dev, stats.ino, 0, stats.uid, stats.gid, stats.size];
  numbers.forEach((number, index) => seen.writeUInt32BE(Number(number) >>> 0, 16 + index * 4));
  return seen;
}

function renderEntry(path: string, { mode, id, seen }: IndexFile): Buffer {
  const data = Buffer.alloc(Math.ceil((FIXED_BYTES + path.length + 1) / 8) * 8);
  seen.copy(data);
  data.fill(0, MODE_AT, MODE_END);
  data.writeUInt32BE(Number.parseInt(mode, 8), MODE_AT);
  data.write(id, SEEN_BYTES, "hex");
  data.writeUInt16BE(Math.min(path.length, 0xfff), SEEN_BYTES + SUM_BYTES);
  data.write(path, FIXED_BYTES, "latin1");
  return data;
}
