/**
 * Tells which files are read from now on, by the times of their last access.
 *
 * These times are set far back first, so that even a mount with `relatime` notes the next read. Where a mount notes
 * none, the answer is that nobody knows. A program that sets the time back again changes the inode, which shows.
 */
import { closeSync, constants, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { joinBytes } from "../system/byte-path.ts";
import { runOnPaths } from "../system/run-on-paths.ts";

/** `unknown`: it was replaced or removed, or the mount does not note reads. */
export type ReadState = "read" | "unread" | "unknown";

const LONG_AGO = "200001010000";
const EXACT = { bigint: true, throwIfNoEntry: false } as const;

interface Watched {
  readonly path: string;
  readonly absolute: Buffer;
  readonly before: ReturnType<typeof readTimes>;
  readonly isNoted: boolean;
}

/** Paths are byte strings of files and links below the folder; so are the keys of the answer. */
export function watchReads(folder: string, paths: readonly string[]): () => ReadonlyMap<string, ReadState> {
  const files = paths.map((path) => ({ path, absolute: joinBytes(folder, path) }));
  forgetReads(files.map(({ absolute }) => absolute));
  const notesReads = probeDevices(files.map(({ absolute }) => absolute));
  const watched = files.map((file): Watched => {
    const before = readTimes(file.absolute);
    return { ...file, before, isNoted: before !== null && notesReads.get(before.device) === true };
  });
  return () => new Map(watched.map((file) => [file.path, findState(file)]));
}

function forgetReads(files: readonly Buffer[]): void {
  // A file of somebody else keeps its time; the probe shows that.
  if (files.length > 0) runOnPaths(["touch", "-a", "-c", "-h", "-t", LONG_AGO, "--"], files);
}

function readTimes(file: Buffer) {
  const stats = lstatSync(file, EXACT);
  if (stats === undefined) return null;
  return { device: stats.dev, inode: stats.ino, changed: stats.ctimeNs, accessed: stats.atimeNs, size: stats.size };
}

/** Reads one file of each device and looks whether that is noted. */
function probeDevices(files: readonly Buffer[]): ReadonlyMap<bigint, boolean> {
  const answers = new Map<bigint, boolean>();
  const probed: Buffer[] = [];
  for (const file of files) {
    const before = readTimes(file);
    if (before === null || before.size === 0n || answers.has(before.device)) continue;
    probed.push(file);
    answers.set(before.device, readOnce(file) && readTimes(file)?.accessed !== before.accessed);
  }
  forgetReads(probed);
  return answers;
}

function readOnce(file: Buffer): boolean {
  try {
    if (lstatSync(file).isSymbolicLink()) return readlinkSync(file).length > 0;
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return readSync(descriptor, Buffer.alloc(1)) > 0;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

function findState({ absolute, before, isNoted }: Watched): ReadState {
  const now = readTimes(absolute);
  if (before === null || now === null || now.inode !== before.inode) return "unknown";
  if (now.accessed !== before.accessed) return "read";
  return isNoted && now.changed === before.changed ? "unread" : "unknown";
}
