import type { Evidence } from "../../contract/evidence/evidence.ts";
import { type KeepLimits, chooseKeptFiles } from "../../core/paths/kept-files.ts";
import { dropPair, writePairPatch, storePair } from "../../io/content/change-pair.ts";
import type { ContentStore } from "../../io/content/content-store.ts";
import { decodeChangePath } from "./change-bytes.ts";

const MIB = 1024 * 1024;
/** More than this nobody reads. What is left out is still there to be looked at. */
const LIMITS: KeepLimits = { filesMax: 2000, fileBytesMax: MIB, totalBytesMax: 8 * MIB };

interface PatchRequest {
  readonly store: ContentStore;
  readonly runId: string;
  readonly evidence: Evidence;
}

interface ShownChange {
  readonly patch: string;
  /** The paths that changed too and are not in it. */
  readonly leftOut: readonly string[];
}

/** A change as the patch that somebody is to read, before it is known what becomes of it. */
export async function readChangePatch({ store, runId, evidence }: PatchRequest): Promise<ShownChange> {
  const { files, leftOut: left } = chooseKeptFiles(evidence, LIMITS);
  const leftOut = left.map(({ path }) => path);
  if (files.length === 0) return { patch: "", leftOut };
  const ref = `refs/relais/shown/${runId}`;
  await storePair(
    store,
    ref,
    files.map((file) => ({ path: decodeChangePath(file), before: file.before, after: file.after })),
  );
  try {
    return { patch: (await writePairPatch(store, ref)).toString("utf8"), leftOut };
  } finally {
    await dropPair(store, ref);
  }
}
