/**
 * The walk of a large folder by GNU find. The manifest is the same as that of a walk of our own; where anything is out
 * of the ordinary the answer is null, and that walk decides.
 */
import type { Entry, Manifest } from "../../contract/evidence/manifest.ts";
import { isAscii } from "../files/byte-path.ts";
import { isFolder } from "../files/is-folder.ts";
import { readClockMs } from "../machine/clock.ts";
import { compareListings, type Listing } from "./compare-listings.ts";
import { type FindRecord, listByFind, makeListedEntry, readRecord } from "./find-listing.ts";
import { NO_CAPS } from "./growth.ts";
import { listMounts } from "./mounts.ts";
import { hasReliableTimes } from "./reliable-times.ts";
import { findUntouched, PATH_BYTES_MAX, type Walked, type WalkRequest } from "./walk.ts";

export interface FindWalkRequest extends WalkRequest {
  /** The name at the top that is skipped if it is a folder. */
  readonly without: string | null;
}

/** Smaller folders are walked before find has started. */
const ENTRIES_MIN = 5_000;
/** Besides twice what was there before. */
const OUTPUT_BYTES_MORE = 64 * 1024 * 1024;
/** More than the clock of a file system is coarse. */
const RECENT_MS = 10_000;

/** What find printed for a manifest, and which of its paths must be looked at even if find prints the same again. */
interface Memory {
  readonly listing: Listing;
  /** The manifest of this very listing. */
  readonly listed: Manifest;
  readonly suspects: ReadonlySet<string>;
}

const memories = new WeakMap<Manifest, Memory>();

export async function walkByFind(request: FindWalkRequest, entriesMin = ENTRIES_MIN): Promise<Walked | null> {
  const { folder, earlier, without } = request;
  if (earlier === null || earlier.manifest.size < entriesMin || !(await isOrdinary(request))) return null;
  const memory = memories.get(earlier.manifest);
  const known = memory?.listing.bytes.length ?? earlier.manifest.size * 100;
  const output = await listByFind({ folder, without, bytesMax: 2 * known + OUTPUT_BYTES_MORE });
  if (output === null) return null;
  try {
    return memory === undefined ? readAll(request, output) : readAgain(request, memory, output);
  } catch {
    return null;
  }
}

/** One file system whose times show every write, and nothing that find is not told about. */
async function isOrdinary({ folder, select, leftOut }: WalkRequest): Promise<boolean> {
  if (select !== undefined || (leftOut?.size ?? 0) > 0 || !isAscii(folder)) return false;
  // A builder may have put a file or a link in its place.
  if (!isFolder(folder) || !hasReliableTimes(folder)) return false;
  return !(await listMounts()).some(({ point }) => point.startsWith(`${folder}/`));
}

function readAll(request: FindWalkRequest, output: Buffer): Walked | null {
  const recent = readClockMs() - RECENT_MS;
  const walked = openManifest(request, new Map());
  const starts: number[] = [];
  const suspects = new Set<string>();
  for (let at = 0; at < output.length;) {
    const record = readRecord(output, at);
    starts.push(at);
    at = record.end;
    const entry = walked.take(record);
    const changedMs = Number(entry.stamp.slice(entry.stamp.lastIndexOf(":") + 1)) / 1e6;
    if (changedMs >= recent || (entry.type === "file" && entry.id === null)) suspects.add(record.path);
  }
  const listing = { bytes: output, starts: Uint32Array.from(starts) };
  return finish(walked, { listing, listed: walked.manifest, suspects });
}

/** The earlier manifest, but for what differs. */
function readAgain(request: FindWalkRequest, memory: Memory, output: Buffer): Walked | null {
  const { listing, listed } = memory;
  const differences = compareListings(listing, listed, output);
  const walked = openManifest(request, new Map(request.earlier?.manifest));
  const suspects = new Set([...memory.suspects, ...differences.keys()]);
  for (const path of memory.suspects) {
    if (differences.has(path)) continue;
    const same = listed.get(path);
    if (same === undefined) walked.drop(path);
    else walked.takeEntry(path, { ...same, id: null, forced: false });
  }
  for (const [path, record] of differences) {
    if (record === null) walked.drop(path);
    else walked.take(record);
  }
  return finish(walked, { listing, listed, suspects });
}

type OpenManifest = ReturnType<typeof openManifest>;

/** Null where more is new than a tick may make: then only the first new entries are listed. */
function finish({ manifest, unread, growth }: OpenManifest, memory: Memory): Walked | null {
  if (growth.isBeyond()) return null;
  memories.set(manifest, memory);
  Object.assign(manifest, { kinship: { family: memory.listing, others: memory.suspects } });
  return { manifest, unread, excess: null };
}

function openManifest(request: FindWalkRequest, manifest: Map<string, Entry>) {
  const { folder, earlier, caps = NO_CAPS } = request;
  const unread: string[] = [];
  const growth = { files: 0, bytes: 0 };
  const takeEntry = (path: string, fresh: Entry): Entry => {
    if (folder.length + 1 + path.length >= PATH_BYTES_MAX) throw new Error("too long for one call");
    const entry = findUntouched(request, path, fresh) ?? fresh;
    manifest.set(path, entry);
    const was = earlier?.manifest.get(path);
    growth.files += was === undefined ? 1 : 0;
    growth.bytes += countBytes(entry) - countBytes(was);
    if (entry.type === "file" && entry.id === null) unread.push(path);
    return entry;
  };
  return {
    manifest,
    unread,
    growth: { isBeyond: (): boolean => growth.files > caps.files || growth.bytes > caps.bytes },
    takeEntry,
    take: (record: FindRecord): Entry => takeEntry(record.path, makeListedEntry(record)),
    drop: (path: string): void => {
      growth.bytes -= countBytes(manifest.get(path));
      manifest.delete(path);
    },
  };
}

function countBytes(entry: Entry | undefined): number {
  return entry?.type === "file" ? entry.size : 0;
}
