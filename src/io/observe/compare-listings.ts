/** Two listings of the same folder by find: which of their records differ. */
import type { Manifest } from "../../contract/evidence/manifest.ts";
import { type FindRecord, readRecord } from "./find-listing.ts";

export interface Listing {
  readonly bytes: Buffer;
  /** Where each record begins. */
  readonly starts: Uint32Array;
}

/**
 * The records of `now` that are not in the earlier listing, by path; null for a path that is gone. Both have the order of
 * the folders on the disk, so nearly everything is found equal in large blocks. Where the order changed, more records are
 * compared one by one, with the same answer. `known` are the paths of the earlier listing.
 */
// oxlint-disable-next-line complexity -- One step through both lists; apart, its parts mean nothing.
export function compareListings(
  earlier: Listing,
  known: Pick<Manifest, "has">,
  now: Buffer,
): ReadonlyMap<string, FindRecord | null> {
  const added = new Map<string, FindRecord>();
  const missing = new Map<string, string>();
  let [at, to] = [0, 0];
  for (;;) {
    [at, to] = skipEqual(earlier, now, { at, to });
    const left = readAt(earlier.bytes, earlier.starts[at]);
    const right = readAt(now, to < now.length ? to : undefined);
    if (left === null && right === null) break;
    const isSamePath = left?.path === right?.path;
    if (right !== null && (isSamePath || isNew(left, right, known))) {
      added.set(right.path, right);
      to = right.end;
      if (!isSamePath) continue;
    }
    if (left !== null) missing.set(left.path, left.text);
    at += 1;
  }
  return join(added, missing);
}

function readAt(output: Buffer, start: number | undefined): FindRecord | null {
  return start === undefined ? null : readRecord(output, start);
}

/** A path that is new stands before the next old one; otherwise the old one has changed, moved or gone. */
function isNew(left: FindRecord | null, right: FindRecord, known: Pick<Manifest, "has">): boolean {
  return left === null || !known.has(right.path);
}

function join(added: ReadonlyMap<string, FindRecord>, missing: ReadonlyMap<string, string>) {
  const differences = new Map<string, FindRecord | null>();
  for (const path of missing.keys()) if (!added.has(path)) differences.set(path, null);
  for (const [path, record] of added) if (missing.get(path) !== record.text) differences.set(path, record);
  return differences;
}

const BLOCK_BYTES = 256 * 1024;
/** So few bytes are compared one by one. */
const FEW_BYTES = 64;

/** The first record that is not the same, by its number in the earlier listing and by its place in the new one. */
function skipEqual(
  { bytes, starts }: Listing,
  now: Buffer,
  { at, to }: { readonly at: number; readonly to: number },
): [number, number] {
  if (at >= starts.length) return [at, to];
  const start = starts[at] ?? 0;
  const same = countSame(bytes.subarray(start), now.subarray(to));
  if (start + same === bytes.length) return [starts.length, to + same];
  const next = findRecord(starts, start + same);
  return [next, to + (starts[next] ?? 0) - start];
}

/** How many bytes at the beginning are the same. */
function countSame(left: Buffer, right: Buffer): number {
  const length = Math.min(left.length, right.length);
  let same = 0;
  for (let block = BLOCK_BYTES; same < length && block >= FEW_BYTES;) {
    const end = Math.min(length, same + block);
    if (left.compare(right, same, end, same, end) === 0) same = end;
    else block >>= 1;
  }
  while (same < length && left[same] === right[same]) same += 1;
  return same;
}

/** The last record that begins at this byte or before it. */
function findRecord(starts: Uint32Array, byte: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= byte) low = middle;
    else high = middle;
  }
  return low;
}
