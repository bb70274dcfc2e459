/** Files of the working tree as entries of an index: what they hold, and the times by which git knows them again. */
import { type BigIntStats, lstatSync, readlinkSync } from "node:fs";
import { computeBlobId } from "../files/blob-id.ts";
import { joinBytes } from "../files/byte-path.ts";
import { readNow } from "../files/read-now.ts";
import type { GitSide } from "../git/git-difference.ts";
import type { YoungEntry } from "./index-patch.ts";

const BYTES_MAX = 64 * 1024 * 1024;
const LINK = "120000";
const HEAD_BYTES = 60;

/** The beginning of an entry; null where the file does not hold, byte for byte, what it should. */
export function describeFile(root: string, path: string, side: GitSide): Buffer | null {
  return readEntry(root, path, side)?.head ?? null;
}

interface ReadEntry {
  readonly content: Buffer;
  /** As above. */
  readonly head: Buffer | null;
}

/** Null where there is no file or link of this mode. */
export function readEntry(root: string, path: string, { mode, id }: GitSide): ReadEntry | null {
  const absolute = joinBytes(root, path);
  const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || id.length !== 40 || findMode(stats) !== mode) return null;
  const content = mode === LINK ? readlinkSync(absolute, { encoding: "buffer" }) : readContent(absolute);
  if (content === null) return null;
  if (computeBlobId(content) !== id) return { content, head: null };
  const after = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  // A file that changes while it is read is left to git.
  if (after === undefined || after.ctimeNs !== stats.ctimeNs || after.ino !== stats.ino) return { content, head: null };
  return { content, head: renderHead(stats, { mode, id }) };
}

function findMode(stats: BigIntStats): string | null {
  if (stats.isSymbolicLink()) return LINK;
  if (!stats.isFile()) return null;
  return (stats.mode & 0o100n) === 0n ? "100644" : "100755";
}

function readContent(absolute: Buffer): Buffer | null {
  return readNow(absolute, { bytesMax: BYTES_MAX });
}

const BILLION = 1_000_000_000n;

/** Numbers of 32 bits, as git cuts them off. */
function renderHead(stats: BigIntStats, { mode, id }: GitSide): Buffer {
  const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = stats;
  const times = [ctimeNs, mtimeNs].flatMap((time) => [time / BILLION, time % BILLION]);
  const numbers = [...times, dev, ino, BigInt(`0o${mode}`), uid, gid, size];
  const head = Buffer.alloc(HEAD_BYTES);
  for (const [at, number] of numbers.entries()) head.writeUInt32BE(Number(BigInt.asUintN(32, number)), 4 * at);
  head.write(id, 4 * numbers.length, "hex");
  return head;
}

/** Whether git sees by size and time that the file is another one, or the file holds what its entry says. */
export function isNoticedByGit(root: string, { path, id, seconds, size }: YoungEntry): boolean {
  const absolute = joinBytes(root, path);
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size % 2 ** 32 !== size || Math.floor(stats.mtimeMs / 1000) !== seconds)
    return true;
  const content = readContent(absolute);
  return content !== null && computeBlobId(content) === id;
}
