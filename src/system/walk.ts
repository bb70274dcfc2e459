import {
  type Entry,
  type Excess,
  type GrowthCaps,
  type Manifest,
  type EntryType,
  isRacy,
  type Observation,
} from "../base/manifest.ts";
import { statfsSync, type Stats, type BigIntStats, chmodSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { MeasurementError, describeError } from "../base/errors.ts";
import { isAscii, joinBytes } from "./byte-path.ts";
import { readErrorCode } from "./read-files.ts";

/** How much a folder grew since an earlier manifest of it, and whether that is more than a tick may add. */

export const NO_CAPS: GrowthCaps = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

export interface Growth {
  /** Counts an entry as it is now, once. */
  readonly add: (path: string, entry: Pick<Entry, "type" | "size">) => void;
  /** How much may still be added. */
  readonly left: () => GrowthCaps;
  readonly hasTooManyFiles: () => boolean;
  /** When everything was added; null within the caps. */
  readonly findExcess: () => Excess | null;
}

/**
 * Every new name counts as a file. Bytes count in sum, so a repacked git directory has not grown. A sparse file counts
 * with its whole size: the next tick would have to read all of it.
 */
export function measureGrowth(earlier: Manifest, caps: GrowthCaps): Growth {
  let files = 0;
  let bytes = 0;
  for (const entry of earlier.values()) bytes -= countBytes(entry);
  return {
    add: (path, entry) => {
      if (!earlier.has(path)) files += 1;
      bytes += countBytes(entry);
    },
    left: () => ({ files: caps.files - files, bytes: caps.bytes - bytes }),
    hasTooManyFiles: () => files > caps.files,
    findExcess: () => {
      if (files > caps.files) return { kind: "files", max: caps.files };
      return bytes > caps.bytes ? { kind: "bytes", max: caps.bytes } : null;
    },
  };
}

function countBytes({ type, size }: Pick<Entry, "type" | "size">): number {
  return type === "file" ? size : 0;
}

/**
 * Whether the times of a file show every write to it.
 *
 * A process that maps a file into its memory writes without a system call. ext4, xfs and btrfs change the times at the
 * first such write, which `test/observe/reliable-times.test.ts` shows; tmpfs does not if the page was read before. Of
 * other file systems nothing is known, so the content of their files is read.
 */

/** The numbers by which Linux tells them apart; other systems number theirs differently. */
const RELIABLE: ReadonlySet<number> =
  process.platform === "linux" ? new Set([0xef53, 0x58_46_53_42, 0x91_23_68_3e]) : new Set();

export function hasReliableTimes(path: string | Buffer): boolean {
  return RELIABLE.has(statfsSync(path).type);
}

/** Asks once for each device. */
export function rememberReliableTimes(): (device: bigint, path: string | Buffer) => boolean {
  const known = new Map<bigint, boolean>();
  return (device, path) => {
    const answer = known.get(device) ?? hasReliableTimes(path);
    known.set(device, answer);
    return answer;
  };
}

/**
 * Reads a manifest: names as bytes, lstat for everything, nothing followed, nothing opened.
 *
 * An entry that vanishes or cannot be read is an error, because a manifest with a hole in it could pass a judge. After
 * a build (`force`) the builder may have taken our own permissions away; then they are lifted and the entry is marked,
 * so that it can be listed, judged and restored.
 */

/** PATH_MAX of Linux less its terminating byte is 4095; of macOS 1023. */
const PATH_BYTES_MAX = process.platform === "darwin" ? 1_023 : 4_095;

export interface WalkRequest {
  /** As a byte string. */
  readonly folder: string;
  /** An earlier manifest: provably untouched entries are taken from it, with their ids. */
  readonly earlier: { readonly manifest: Manifest; readonly takenAt: Observation["takenAt"] } | null;
  /** Names at the top that belong to somebody else. */
  readonly skipTopLevel: (name: string, type: EntryType) => boolean;
  /** Left out with everything below them; "" is the folder itself. */
  readonly leftOut?: ReadonlySet<string>;
  /** Chooses among the names of a folder; absent takes all. */
  readonly select?: (folder: string, names: readonly string[]) => readonly string[];
  readonly force: boolean;
  /** Beyond them only the first new entries are listed, and no further new folder is entered. Absent is no cap. */
  readonly caps?: GrowthCaps;
}

interface Walk extends WalkRequest {
  readonly areTimesReliable: ReturnType<typeof rememberReliableTimes>;
}

/** Of too many new entries, this many are listed: enough to show where they are. */
const LISTED_MAX = 1_000;

interface Walked {
  readonly manifest: Map<string, Entry>;
  /** The content of these files is not known yet. */
  readonly unread: readonly string[];
  readonly excess: Excess | null;
}

/** A missing folder gives an empty manifest. */
export function walk(asked: WalkRequest): Walked {
  const request = { ...asked, areTimesReliable: rememberReliableTimes() };
  const bounds = setBounds(asked);
  const manifest = new Map<string, Entry>();
  const unread: string[] = [];
  const pending: string[] = [];
  const take = (path: string, entry: Entry): void => {
    manifest.set(path, entry);
    bounds.add(path, entry);
    if (entry.type === "file" && entry.id === null) unread.push(path);
    if (entry.type === "directory") pending.push(path);
  };
  const top = readEntry(request, "");
  if (top !== null) take("", top);
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (bounds.isBeyond(folder)) continue;
    for (const name of list(request, manifest, folder)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (bounds.isBeyond(path)) continue;
      const entry = readListed(request, manifest, path);
      if (entry !== null && !(folder === "" && request.skipTopLevel(name, entry.type))) take(path, entry);
    }
  }
  return bounds.keepWithin({ manifest, unread });
}

function setBounds({ earlier, caps = NO_CAPS }: WalkRequest) {
  const known = earlier?.manifest ?? new Map<string, Entry>();
  const growth = measureGrowth(known, caps);
  return {
    ...growth,
    /** Whether it is new, after too many others. */
    isBeyond: (path: string): boolean => growth.hasTooManyFiles() && !known.has(path),
    /** Of too many, keeps the first. A folder comes before its entries, so none is listed without its folder. */
    keepWithin: ({ manifest, unread }: Omit<Walked, "excess">): Walked => {
      const excess = growth.findExcess();
      if (excess === null) return { manifest, unread, excess };
      let listed = 0;
      for (const path of manifest.keys()) {
        if (known.has(path)) continue;
        listed += 1;
        if (listed > LISTED_MAX) manifest.delete(path);
      }
      return { manifest, unread: unread.filter((path) => manifest.has(path)), excess };
    },
  };
}

/** An entry that was just listed, or null where it lies deeper than the kernel can reach. */
function readListed(request: Walk, manifest: Map<string, Entry>, path: string): Entry | null {
  if (request.force && isTooLong(request, path)) {
    mark(manifest, path.slice(0, Math.max(0, path.lastIndexOf("/"))));
    return null;
  }
  const entry = readEntry(request, path);
  if (entry === null) throw makeFailure(request, path, "the entry vanished while its folder was read");
  return entry;
}

/** One entry below a folder, both as byte strings, without the id of its content; null where there is none. */
export function findEntryAt(folder: string, path: string): Entry | null {
  const here = { folder, earlier: null, skipTopLevel: () => false, force: false };
  return readEntry({ ...here, areTimesReliable: () => false }, path);
}

const EXACT = { bigint: true } as const;

/** Null where there is none or it is left out. */
function readEntry(request: Walk, path: string): Entry | null {
  if (isLeftOut(request, path)) return null;
  const absolute = joinPath(request.folder, path);
  try {
    const stats = lstatSync(absolute, EXACT);
    const fresh = makeEntry(stats, absolute);
    const known = chooseUntouched(request, request.earlier?.manifest.get(path), fresh);
    // Only a file has content that its times might not show.
    return known === null || (fresh.type === "file" && !request.areTimesReliable(stats.dev, absolute)) ? fresh : known;
  } catch (error) {
    if (readErrorCode(error) === "ENOENT" || readErrorCode(error) === "ENOTDIR") return null;
    throw makeFailure(request, path, describeError(error));
  }
}

function joinPath(folder: string, path: string): string | Buffer {
  const text = path === "" ? folder : `${folder}/${path}`;
  return isAscii(text) ? text : Buffer.from(text, "latin1");
}

/** The entry of the earlier manifest; null where its times show a change, or cannot show one yet. */
function chooseUntouched({ earlier }: WalkRequest, known: Entry | undefined, fresh: Entry): Entry | null {
  if (earlier === null || known === undefined) return null;
  return isUntouched(known, fresh) && !isRacy(known, earlier.takenAt) ? known : null;
}

function isUntouched(known: Entry, fresh: Entry): boolean {
  return (
    known.stamp === fresh.stamp &&
    known.type === fresh.type &&
    known.mode === fresh.mode &&
    known.size === fresh.size &&
    known.hardLinks === fresh.hardLinks &&
    known.owner === fresh.owner &&
    known.target === fresh.target
  );
}

function makeEntry(stats: BigIntStats, absolute: string | Buffer): Entry {
  const type = readType(stats);
  return {
    type,
    mode: Number(stats.mode) & 0o7777,
    size: type === "directory" ? 0 : Number(stats.size),
    owner: `${stats.uid}:${stats.gid}`,
    hardLinks: type === "directory" ? 1 : Number(stats.nlink),
    stamp: `${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`,
    id: null,
    target: type === "symlink" ? readlinkSync(absolute, { encoding: "buffer" }).toString("latin1") : null,
    forced: false,
  };
}

function readType(stats: Stats | BigIntStats): EntryType {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  if (stats.isSymbolicLink()) return "symlink";
  if (stats.isFIFO()) return "fifo";
  if (stats.isSocket()) return "socket";
  return "device";
}

function list(request: Walk, manifest: Map<string, Entry>, folder: string): readonly string[] {
  const absolute = joinBytes(request.folder, folder);
  const entry = manifest.get(folder);
  try {
    if (request.force && entry !== undefined && isClosedToUs(entry)) {
      mark(manifest, folder);
      chmodSync(absolute, 0o700);
    }
    const listed = readdirSync(absolute, { encoding: "latin1" });
    const names = request.select?.(folder, listed) ?? listed;
    if ((request.leftOut?.size ?? 0) === 0) return names;
    return names.filter((name) => !isLeftOut(request, folder === "" ? name : `${folder}/${name}`));
  } catch (error) {
    throw makeFailure(request, folder, describeError(error));
  }
}

function isLeftOut({ leftOut }: WalkRequest, path: string): boolean {
  return leftOut !== undefined && leftOut.has(path);
}

/** A folder of our own that we may not list or enter. Root may always. */
function isClosedToUs(entry: Entry): boolean {
  const uid = process.getuid?.() ?? 0;
  return uid !== 0 && entry.owner.startsWith(`${uid}:`) && (entry.mode & 0o500) !== 0o500;
}

/** Longer than the kernel takes in one call. A builder reaches such depths by changing into them step by step. */
function isTooLong(request: WalkRequest, path: string): boolean {
  // A character of a byte string is a byte.
  return request.folder.length + 1 + path.length >= PATH_BYTES_MAX;
}

function mark(manifest: Map<string, Entry>, path: string): void {
  const entry = manifest.get(path);
  if (entry !== undefined) manifest.set(path, { ...entry, forced: true });
}

function makeFailure({ folder }: WalkRequest, path: string, reason: string): MeasurementError {
  return new MeasurementError(joinBytes(folder, path).toString("utf8"), reason);
}
