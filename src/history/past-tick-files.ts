/** The recorded files of one past tick. */
import { join } from "node:path";
import type { ReplayedTick } from "../records/replayed-tick.ts";
import { readBounded } from "../system/bounded-file.ts";
import { findLedgerDifference } from "../journal/ledger-difference.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { replayRun } from "./replay-run.ts";

const PATCH_BYTES_MAX = 512 * 1024 * 1024;

export type PatchFound =
  | { readonly kind: "patch"; readonly patch: Buffer }
  /** Nothing changed, or the patch was not kept. */
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly path: string; readonly reason: string };

export async function readTickPatch(
  { stateDirectory, history }: WorkspaceSnapshot,
  runId: string,
): Promise<PatchFound> {
  for (const folder of [locateRunDirectory(stateDirectory, runId), join(history, runId)]) {
    const path = join(folder, "diff.patch");
    const read = await readBounded(path, PATCH_BYTES_MAX);
    if (read.kind === "read") return { kind: "patch", patch: read.data };
    if (read.kind === "refused") return { kind: "refused", path, reason: read.reason };
  }
  return { kind: "none" };
}

export function replayTick(
  { stateDirectory, history, lines }: WorkspaceSnapshot,
  runId: string,
): Promise<ReplayedTick> {
  return replayRun({
    folder: join(history, runId),
    lines: lines.length === 0 ? null : lines,
    original: locateRunDirectory(stateDirectory, runId),
  });
}

/** The first line of the ledger that differs from the journal. */
export function findEditedLedgerLine(snapshot: WorkspaceSnapshot): Promise<number | null> {
  const { stateDirectory, repository, config } = snapshot;
  return findLedgerDifference(
    join(stateDirectory, "journal.jsonl"),
    join(repository.root, config.workspace_dir, "ledger.jsonl"),
  );
}
