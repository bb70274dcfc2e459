/** Counts the added and deleted lines and bytes of each changed file, from its content. */
import type { Entry } from "../base/manifest.ts";
import type { Difference } from "./pure/compare-manifests.ts";
import { type ContentStore, LARGE_BYTES, locateLargeFile, readBlobs } from "../store/content-store.ts";
import { type ComparedFile, storeComparison } from "../store/compare-blobs.ts";
import { countBufferLines, countLines } from "../store/large-file.ts";

export interface Counts {
  readonly added: number;
  readonly deleted: number;
  readonly bytes: number;
}

const NONE: Counts = { added: 0, deleted: 0, bytes: 0 };
/** A larger change is too large by any limit, so it is not compared line by line. */
const COMPARED_BYTES_MAX = 64 * 1024 * 1024;

export interface CountRequest {
  readonly store: ContentStore;
  readonly differences: readonly Difference[];
}

export async function listLineCounts({ store, differences }: CountRequest): Promise<readonly Counts[]> {
  const bytes = differences.reduce((sum, { before, after }) => sum + countFileBytes(before) + countFileBytes(after), 0);
  const isComparable = ({ before, after }: Difference): boolean =>
    bytes <= COMPARED_BYTES_MAX && countFileBytes(before) < LARGE_BYTES && countFileBytes(after) < LARGE_BYTES;
  const compared = differences.filter((difference) => isComparable(difference));
  const counts = await storeComparison(
    store,
    compared.map(({ path, before, after }) => ({ path, before: findContent(before), after: findContent(after) })),
  );
  const byDifference = new Map(compared.map((difference, index) => [difference, counts[index]] as const));
  const whole = differences.filter((difference) => !byDifference.has(difference));
  const linesOf = await countStoredLines(
    store,
    whole.flatMap(({ before, after }) => [before, after]),
  );
  return differences.map((difference) => {
    const lines = byDifference.get(difference) ?? countWhole(difference, linesOf);
    return addCounts(lines, countLink(difference));
  });
}

function countFileBytes(entry: Entry | null): number {
  return entry?.type === "file" ? entry.size : 0;
}

function findContent(entry: Entry | null): ComparedFile["before"] {
  const id = findFileId(entry);
  return entry === null || id === null ? null : { id, isExecutable: (entry.mode & 0o100) !== 0 };
}

function findFileId(entry: Entry | null): string | null {
  return entry?.type === "file" ? entry.id : null;
}

/** By id, from the store alone: the file in the worktree may be gone, or another one of any size. */
async function countStoredLines(
  store: ContentStore,
  entries: readonly (Entry | null)[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const small = new Map<string, number>();
  for (const entry of entries) {
    const id = findFileId(entry);
    if (id === null || counts.has(id)) continue;
    const large = locateLargeFile(store, id);
    if (large === null) small.set(id, countFileBytes(entry));
    else counts.set(id, countLines(large));
  }
  const wanted = [...small].map(([id, size]) => ({ id, size }));
  for await (const [id, content] of readBlobs(store, wanted)) counts.set(id, countBufferLines(content));
  return counts;
}

/** Too large to compare: all of the old is gone and all of the new is new. */
function countWhole({ before, after }: Difference, linesOf: ReadonlyMap<string, number>): Counts {
  if (before?.id !== undefined && before.id !== null && before.id === after?.id) return NONE;
  const lines = (entry: Entry | null): number => linesOf.get(findFileId(entry) ?? "") ?? 0;
  return { added: lines(after), deleted: lines(before), bytes: countFileBytes(before) + countFileBytes(after) };
}

/** The text of a link counts as one line. */
function countLink({ before, after }: Difference): Counts {
  const deleted = readLinkText(before);
  const added = readLinkText(after);
  if (added === deleted) return NONE;
  return {
    added: Math.min(added.length, 1),
    deleted: Math.min(deleted.length, 1),
    bytes: added.length + deleted.length,
  };
}

function readLinkText(entry: Entry | null): string {
  return entry?.target ?? "";
}

function addCounts(left: Counts, right: Counts): Counts {
  return {
    added: left.added + right.added,
    deleted: left.deleted + right.deleted,
    bytes: left.bytes + right.bytes,
  };
}
