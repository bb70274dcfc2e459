/**
 * Watches while a program works whether it adds more to a repository than a tick may add.
 *
 * The free space of the file system is asked for often, because that costs nothing. Others use it too, so a loss is only
 * the reason to count. The count reads names and sizes, in slices between which the runner goes on, and keeps nothing in
 * memory. It may miss what changes meanwhile: the observation afterwards decides.
 */
import { type BigIntStats, lstatSync, opendirSync, statfsSync } from "node:fs";
import { setImmediate as yieldTurn, setTimeout as delay } from "node:timers/promises";
import { readSteadyMs } from "../system/clock.ts";
import type { Excess, GrowthCaps, Manifest } from "../base/manifest.ts";
import { joinBytes } from "../system/byte-path.ts";
import { type Growth, measureGrowth } from "../system/walk.ts";

const LOOK_MS = 250;
const SLICE_MS = 5;
/** A count that took one millisecond is not repeated before twenty have passed, but after some seconds. */
const REST_FACTOR = 20;
const REST_MS_MAX = 5_000;
/** Close to a cap it is not counted again for less than this part of it. */
const STEP = 0.05;

export interface WatchedFolder {
  /** As a byte string. */
  readonly folder: string;
  readonly earlier: Manifest;
  /** A name at the top that belongs to another folder. */
  readonly skipped: string | null;
}

export interface GrowthWatch {
  /** Aborted when a cap is crossed. */
  readonly signal: AbortSignal;
  readonly findExcess: () => Excess | null;
  readonly end: () => void;
}

export function watchGrowth(folders: readonly WatchedFolder[], caps: GrowthCaps): GrowthWatch {
  const crossed = new AbortController();
  const ended = new AbortController();
  let excess: Excess | null = null;
  void watch().catch(() => null); // The end of the watch.
  return { signal: crossed.signal, findExcess: () => excess, end: () => ended.abort() };

  async function watch(): Promise<void> {
    const watched = folders.map((folder) => ({ folder, disk: watchDisk(joinBytes(folder.folder, ""), caps) }));
    for (let restMs = LOOK_MS; excess === null;) {
      await delay(restMs, null, { signal: ended.signal, ref: false });
      const began = readSteadyMs();
      for (const { folder, disk } of watched) {
        if (!disk.isAlarming()) continue;
        const growth = await count(folder, { caps, ended: ended.signal });
        excess ??= growth.findExcess();
        disk.expect(growth.left());
      }
      restMs = Math.max(LOOK_MS, Math.min(REST_MS_MAX, (readSteadyMs() - began) * REST_FACTOR));
    }
    crossed.abort();
  }
}

/**
 * Says when so much of the disk was used that a cap may be crossed. A file system that does not count its files may
 * hide them, so there it always may.
 */
function watchDisk(path: Buffer, caps: GrowthCaps) {
  let alarm = caps;
  let most = { files: 0, bytes: 0 };
  const read = () => {
    const { files, ffree, bfree, bsize } = statfsSync(path);
    const free = { files: ffree, bytes: bfree * bsize };
    most = { files: Math.max(most.files, free.files), bytes: Math.max(most.bytes, free.bytes) };
    return { isCounted: files > 0, files: most.files - free.files, bytes: most.bytes - free.bytes };
  };
  read();
  return {
    isAlarming: (): boolean => {
      const used = read();
      return !used.isCounted || used.files > alarm.files || used.bytes > alarm.bytes;
    },
    /** From now on, this much may be used. */
    expect: (left: GrowthCaps): void => {
      alarm = { files: Math.max(left.files, caps.files * STEP), bytes: Math.max(left.bytes, caps.bytes * STEP) };
      most = { files: 0, bytes: 0 };
      read();
    },
  };
}

async function count(
  watched: WatchedFolder,
  { caps, ended }: { readonly caps: GrowthCaps; readonly ended: AbortSignal },
): Promise<Growth> {
  const growth = measureGrowth(watched.earlier, caps);
  let sliceEnds = readSteadyMs() + SLICE_MS;
  for (const _ of addKnown(watched, growth)) {
    if (growth.hasTooManyFiles()) break;
    if (readSteadyMs() < sliceEnds) continue;
    await yieldTurn(null, { signal: ended, ref: false });
    sliceEnds = readSteadyMs() + SLICE_MS;
  }
  return growth;
}

/** Adds the known entries that are still there, and what is new in their folders. */
function* addKnown(watched: WatchedFolder, growth: Growth): Generator<undefined> {
  const gone = new Set<string>();
  for (const [path, known] of watched.earlier) {
    yield;
    const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const stats = path !== "" && gone.has(above) ? null : readStats(watched, path);
    const isFolder = stats?.isDirectory() === true;
    // Nothing behind a link that took the place of a folder is counted.
    if (known.type === "directory" && !isFolder) gone.add(path);
    if (stats === null) continue;
    growth.add(path, describe(stats));
    if (isFolder) yield* addNew(watched, growth, path);
  }
}

function* addNew(watched: WatchedFolder, growth: Growth, folder: string): Generator<undefined> {
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const name of listNames(watched, at)) {
      yield;
      const path = at === "" ? name : `${at}/${name}`;
      const stats = watched.earlier.has(path) || path === watched.skipped ? null : readStats(watched, path);
      if (stats === null) continue;
      growth.add(path, describe(stats));
      if (stats.isDirectory()) pending.push(path);
    }
  }
}

/** A folder that cannot be listed is left to the observation. */
function* listNames({ folder }: WatchedFolder, path: string): Generator<string> {
  try {
    const entries = opendirSync(joinBytes(folder, path), { encoding: "latin1" });
    try {
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) yield entry.name;
    } finally {
      entries.closeSync();
    }
  } catch {
    return;
  }
}

function readStats({ folder }: WatchedFolder, path: string): BigIntStats | null {
  try {
    return lstatSync(joinBytes(folder, path), { bigint: true });
  } catch {
    return null;
  }
}

function describe(stats: BigIntStats) {
  return { type: stats.isFile() ? ("file" as const) : ("directory" as const), size: Number(stats.size) };
}
