/**
 * Copies a worktree entry by entry, as raw bytes: no filter of git plays a part.
 *
 * Content is shared by the file system where it can (reflinks, `clonefile`), and copied elsewhere. There are no hard
 * links, because a write in the copy would change the original.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  symlinkSync,
} from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import { type Entry, type Manifest, modifiedAtSeconds } from "../base/manifest.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { joinBytes } from "../system/byte-path.ts";
import { readErrorCode } from "../system/read-files.ts";
import { findEntryAt } from "../system/walk.ts";

export interface TreeCopy {
  /** Both folders as byte strings. */
  readonly from: string;
  /** An empty folder. */
  readonly to: string;
  /** What to copy, folders before their entries. */
  readonly manifest: Manifest;
}

const COPY = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
/** A signal is heard between two groups. */
const GROUP = 256;
const COPIED: ReadonlySet<string> = new Set(["file", "directory", "symlink"]);

/**
 * Answers with the entries of the copy. An entry has the id of its original, unless that changed while it was copied.
 * Sockets, pipes and devices are left out.
 */
export async function copyTree({ from, to, manifest }: TreeCopy): Promise<Manifest> {
  const entries = [...manifest].filter(([path, { type }]) => path !== "" && COPIED.has(type));
  const ids = new Map<string, string | null>();
  for (const [index, [path, entry]] of entries.entries()) {
    if (index % GROUP === 0) await breathe();
    const isCopied = attempt(path, () => copyEntry({ from, to }, path, entry));
    if (isCopied) ids.set(path, isStill(from, path, entry) ? entry.id : null);
  }
  // Deepest first: a folder gets its mode and time when nothing is written into it any more.
  for (const [path, entry] of entries.toReversed()) {
    if (ids.has(path)) attempt(path, () => settleCopy(joinBytes(to, path), entry));
  }
  return new Map(
    [...ids].flatMap(([path, id]) => {
      const entry = findEntryAt(to, path);
      return entry === null ? [] : [[path, { ...entry, id }] as const];
    }),
  );
}

/** What vanished meanwhile is no longer there to be copied. */
function attempt(path: string, act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return false;
    throw new MeasurementError(
      Buffer.from(path, "latin1").toString("utf8"),
      `cannot be copied: ${describeError(error)}`,
    );
  }
}

function copyEntry({ from, to }: Omit<TreeCopy, "manifest">, path: string, entry: Entry): void {
  const target = joinBytes(to, path);
  if (entry.type === "directory") mkdirSync(target, { mode: 0o700 });
  else if (entry.type === "symlink") symlinkSync(Buffer.from(entry.target ?? "", "latin1"), target);
  else copyFileSync(joinBytes(from, path), target, COPY);
}

function isStill(from: string, path: string, entry: Entry): boolean {
  return entry.type !== "file" || findEntryAt(from, path)?.stamp === entry.stamp;
}

function settleCopy(target: Buffer, entry: Entry): void {
  settleOwner(target, entry);
  if (entry.type !== "symlink") chmodSync(target, entry.mode);
  const seconds = String(modifiedAtSeconds(entry));
  lutimesSync(target, seconds, seconds);
}

/** Only root gives files away; the copies of everybody else are their own. */
function settleOwner(target: Buffer, { owner }: Entry): void {
  if (process.getuid?.() !== 0) return;
  const [uid = 0, gid = 0] = owner.split(":").map(Number);
  const now = lstatSync(target);
  if (now.uid !== uid || now.gid !== gid) lchownSync(target, uid, gid);
}
