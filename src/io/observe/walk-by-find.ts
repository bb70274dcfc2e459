/**
 * The walk of a large folder by GNU find. The manifest is the same as that of a walk of our own; where anything is out
 * of the ordinary the answer is null, and that walk decides.
 */
import type { Entry } from "../../contract/evidence/manifest.ts";
import { isAscii } from "../files/byte-path.ts";
import { isFolder } from "../files/is-folder.ts";
import { readClockMs } from "../machine/clock.ts";
import { compareWith, type Differences } from "./compare-listings.ts";
import { type FindRecord, type FindRequest, listByFind, makeListedEntry } from "./find-listing.ts";
import { findListedParts, type ListedParts, makeListedManifest } from "./listed-manifest.ts";
import { findPlace, type Listing, makeListing, putIdAt, readRecordAt } from "./listing.ts";
import { NO_CAPS } from "./growth.ts";
import { listMounts } from "./mounts.ts";
import { hasReliableTimes } from "./reliable-times.ts";
import { chooseUntouched, PATH_BYTES_MAX, type Walked, type WalkRequest } from "./walk.ts";

export interface FindWalkRequest extends WalkRequest {
  /** The name at the top that is skipped if it is a folder. */
  readonly without: string | null;
  /** For the pipes of find. */
  readonly temporaryRoot: string;
}

/** Smaller folders are walked before find has started. */
const ENTRIES_MIN = 5_000;
/** Of a usual record. */
const ENTRY_BYTES = 100;
/** Besides twice what was there before. */
const OUTPUT_BYTES_MORE = 64 * 1024 * 1024;
/** More than the clock of a file system is coarse. */
const RECENT_MS = 10_000;

/** With more changes beside a listing, the next tick begins with a new one. */
const CHANGES_MIN = 500;
const CHANGES_SHARE = 1 / 64;

export async function walkByFind(request: FindWalkRequest, entriesMin = ENTRIES_MIN): Promise<Walked | null> {
  const { earlier } = request;
  if (earlier === null || earlier.manifest.size < entriesMin || !(await isOrdinary(request))) return null;
  const parts = findListedParts(earlier.manifest);
  try {
    return await (parts === null || isOutdated(request, parts) ? listAll(request) : compareAll(request, parts));
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

/** Within a tick the listing stays, so that its manifests are of one family. */
function isOutdated({ force }: WalkRequest, { listing, changes }: ListedParts): boolean {
  return !force && changes.size > Math.max(CHANGES_MIN, listing.starts.length * CHANGES_SHARE);
}

async function listAll(request: FindWalkRequest): Promise<Walked | null> {
  const chunks: Buffer[] = [];
  const known = (request.earlier?.manifest.size ?? 0) * ENTRY_BYTES;
  const isWhole = await listByFind(askFind(request, known), (chunk) => chunks.push(Buffer.from(chunk)));
  return isWhole ? readAll(request, makeListing(Buffer.concat(chunks))) : null;
}

async function compareAll(request: FindWalkRequest, parts: ListedParts): Promise<Walked | null> {
  const comparison = compareWith(parts.listing);
  const isWhole = await listByFind(askFind(request, parts.listing.bytes.length), comparison.add);
  return isWhole ? readDifferences(request, parts, comparison.end()) : null;
}

function askFind({ folder, without, temporaryRoot }: FindWalkRequest, knownBytes: number): FindRequest {
  return { folder, without, temporaryRoot, bytesMax: 2 * knownBytes + OUTPUT_BYTES_MORE };
}

/** A listing of its own. What may change without another time, or is not read yet, stands beside it. */
function readAll(request: FindWalkRequest, listing: Listing): Walked | null {
  const recent = readClockMs() - RECENT_MS;
  const taken = openChanges(request, new Map());
  for (let number = 0; number < listing.starts.length; number += 1) {
    const record = readRecordAt(listing, number);
    const entry = taken.choose(record.path, makeListedEntry(record));
    if (!isSettled(entry, recent) || (entry.id !== null && !putIdAt(listing, number, entry.id)))
      taken.changes.set(record.path, entry);
  }
  return finish(listing, taken);
}

function isSettled(entry: Entry, recent: number): boolean {
  const changedMs = Number(entry.stamp.slice(entry.stamp.lastIndexOf(":") + 1)) / 1e6;
  return changedMs < recent && !entry.forced && !(entry.type === "file" && entry.id === null);
}

/** The same listing, but for what differs. */
function readDifferences(
  request: FindWalkRequest,
  { listing, changes }: ListedParts,
  differences: Differences,
): Walked | null {
  const taken = openChanges(request, new Map(changes));
  for (const path of changes.keys()) {
    if (differences.has(path)) continue;
    const place = findPlace(listing, path);
    if (place === -1) taken.drop(path, false);
    else taken.take(readRecordAt(listing, place));
  }
  for (const [path, record] of differences) {
    if (record === null) taken.drop(path, true);
    else taken.take(record);
  }
  return finish(listing, taken);
}

type OpenChanges = ReturnType<typeof openChanges>;

/** Null where more is new than a tick may make: then only the first new entries are listed. */
function finish(listing: Listing, { changes, unread, isBeyond }: OpenChanges): Walked | null {
  return isBeyond() ? null : { manifest: makeListedManifest({ listing, changes }), unread, excess: null };
}

function openChanges(request: FindWalkRequest, changes: Map<string, Entry | null>) {
  const { folder, earlier, caps = NO_CAPS } = request;
  const unread: string[] = [];
  const growth = { files: 0, bytes: 0 };
  const choose = (path: string, fresh: Entry): Entry => {
    if (folder.length + 1 + path.length >= PATH_BYTES_MAX) throw new Error("too long for one call");
    const was = earlier?.manifest.get(path);
    const entry = chooseUntouched(request, was, fresh) ?? fresh;
    growth.files += was === undefined ? 1 : 0;
    growth.bytes += countBytes(entry) - countBytes(was);
    if (entry.type === "file" && entry.id === null) unread.push(path);
    return entry;
  };
  return {
    changes,
    unread,
    isBeyond: (): boolean => growth.files > caps.files || growth.bytes > caps.bytes,
    choose,
    take: (record: FindRecord): void => {
      changes.set(record.path, choose(record.path, makeListedEntry(record)));
    },
    /** What is gone is a change only if it is listed. */
    drop: (path: string, isListed: boolean): void => {
      growth.bytes -= countBytes(earlier?.manifest.get(path));
      if (isListed) changes.set(path, null);
      else changes.delete(path);
    },
  };
}

function countBytes(entry: Entry | undefined): number {
  return entry?.type === "file" ? entry.size : 0;
}
