/** What find prints now, beside an earlier listing of the same folder: which of the records differ. */
import type { FindRecord } from "./find-listing.ts";
import { readRecord } from "./find-listing.ts";
import { findRecordNumber, findPlace, type Listing, readRecordAt } from "./listing.ts";

/** By path; null for a path that is gone. */
export type Differences = ReadonlyMap<string, FindRecord | null>;

export interface Comparison {
  /** The next bytes of the output; nothing of them is held. */
  readonly add: (chunk: Buffer) => void;
  /** The records that are not in the earlier listing. Throws where the output ends within one. */
  readonly end: () => Differences;
}

/**
 * Both have the order of the folders on the disk, so nearly everything is found equal in large blocks, and only the rest
 * is kept. Where the order changed, more records are compared one by one, with the same answer.
 */
export function compareWith(earlier: Listing): Comparison {
  const added = new Map<string, FindRecord>();
  const missing = new Map<string, string>();
  let at = 0;
  let rest: Buffer = Buffer.alloc(0);
  const pass = (): void => {
    const { path, text } = readRecordAt(earlier, at);
    missing.set(path, text);
    at += 1;
  };
  /** A path that is new, or stood before, comes before the next one of the earlier listing; otherwise that one has moved or gone. */
  const isAhead = ({ path }: FindRecord): boolean => {
    const place = findPlace(earlier, path);
    return place > at && at < earlier.starts.length;
  };
  const takeRecord = (record: FindRecord): void => {
    while (isAhead(record)) pass();
    if (at < earlier.starts.length && readRecordAt(earlier, at).path === record.path) pass();
    added.set(record.path, record);
  };
  return {
    add: (chunk) => {
      const now = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let to = 0;
      for (;;) {
        [at, to] = skipEqual(earlier, now, { at, to });
        const record = readRecord(now, to);
        if (record === null) break;
        takeRecord(record);
        to = record.end;
      }
      rest = Buffer.from(now.subarray(to));
    },
    end: () => {
      if (rest.length > 0) throw new Error("the output of find is cut off");
      while (at < earlier.starts.length) pass();
      return join(added, missing);
    },
  };
}

function join(added: ReadonlyMap<string, FindRecord>, missing: ReadonlyMap<string, string>): Differences {
  const differences = new Map<string, FindRecord | null>();
  for (const path of missing.keys()) if (!added.has(path)) differences.set(path, null);
  for (const [path, record] of added) if (missing.get(path) !== record.text) differences.set(path, record);
  return differences;
}

/** So few bytes are compared one by one. */
const FEW_BYTES = 64;

/** The first record that is not the same, by its number in the earlier listing and by its place in the new bytes. */
function skipEqual(
  { bytes, starts }: Listing,
  now: Buffer,
  { at, to }: { readonly at: number; readonly to: number },
): [number, number] {
  const start = starts[at];
  if (start === undefined) return [at, to];
  const same = countSame(bytes.subarray(start), now.subarray(to));
  if (start + same === bytes.length) return [starts.length, to + same];
  const next = findRecordNumber(starts, start + same);
  return [next, to + (starts[next] ?? 0) - start];
}

/** How many bytes at the beginning are the same. */
function countSame(left: Buffer, right: Buffer): number {
  const length = Math.min(left.length, right.length);
  let same = 0;
  for (let block = length; same < length && block >= FEW_BYTES;) {
    const end = Math.min(length, same + block);
    if (left.compare(right, same, end, same, end) === 0) same = end;
    else block >>= 1;
  }
  while (same < length && left[same] === right[same]) same += 1;
  return same;
}
