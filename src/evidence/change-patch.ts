import type { Evidence } from "../records/evidence.ts";
import { type KeepLimits, chooseKeptFiles } from "../judge/pure/kept-files.ts";
import { dropPair, writePairPatch, storePair } from "../store/change-pair.ts";
import type { ContentStore } from "../store/content-store.ts";
import { decodeChangePath } from "./change-bytes.ts";

const MIB = 1024 * 1024;
/** Nobody reads more. What is left out is still in the worktree. */
const LIMITS: KeepLimits = { filesMax: 2000, fileBytesMax: MIB, totalBytesMax: 8 * MIB };

interface ShownChange {
  readonly patch: string;
  /** The paths that changed too and are not in it. */
  readonly leftOut: readonly string[];
}

/** A change as a patch for the reviewers, before it is settled. */
export async function readChangePatch(store: ContentStore, runId: string, evidence: Evidence): Promise<ShownChange> {
  const { files, leftOut: left } = chooseKeptFiles(evidence, LIMITS);
  const leftOut = left.map(({ path }) => path);
  if (files.length === 0) return { patch: "", leftOut };
  const ref = `refs/relais/shown/${runId}`;
  const trees = await storePair(
    store,
    ref,
    files.map((file) => ({ path: decodeChangePath(file), before: file.before, after: file.after })),
  );
  try {
    return { patch: (await writePairPatch(store, ref, trees)).toString("utf8"), leftOut };
  } finally {
    dropPair(store, ref);
  }
}
