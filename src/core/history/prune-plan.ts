import type { PruneFolder, PrunePlan } from "../../contract/answers/pruned-history.ts";
import { unreachable } from "../../contract/values/invariant.ts";

/** How much of the history is to stay. */
export type PruneLimit =
  | { readonly kind: "keep"; readonly ticks: number }
  | { readonly kind: "since"; readonly moment: string }
  | { readonly kind: "bytes"; readonly bytes: number };

/** Which folders go, the oldest first; one that is held stays, whatever the limit says. */
export function prunePlan(
  folders: readonly PruneFolder[],
  limit: PruneLimit,
  held: ReadonlyMap<string, string>,
): PrunePlan {
  const oldestFirst = folders.toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1));
  const removed: PruneFolder[] = [];
  const spared: { readonly runId: string; readonly reason: string }[] = [];
  let bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0);
  for (const [index, folder] of oldestFirst.entries()) {
    if (!isBeyond(limit, { folder, newer: oldestFirst.length - index - 1, bytes })) continue;
    const reason = held.get(folder.runId);
    if (reason !== undefined) spared.push({ runId: folder.runId, reason });
    else {
      removed.push(folder);
      bytes -= folder.bytes;
    }
  }
  return { removed, held: spared };
}

interface Standing {
  readonly folder: PruneFolder;
  /** How many newer folders there are. */
  readonly newer: number;
  /** What the history holds as long as this folder stays. */
  readonly bytes: number;
}

function isBeyond(limit: PruneLimit, { folder, newer, bytes }: Standing): boolean {
  switch (limit.kind) {
    case "keep":
      return newer >= limit.ticks;
    case "since":
      return folder.startedAt < limit.moment;
    case "bytes":
      return bytes > limit.bytes;
    default:
      return unreachable(limit);
  }
}
