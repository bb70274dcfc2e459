/**
 * Ends the processes that a killed tick left running.
 *
 * Their supervisor is gone with its notes, but every program that a tick starts carries the name of the tick in its
 * environment, and so do its children. A process that cleared its environment is found by the tag of its session, or by
 * a parent or a session that it shares with one that did not.
 */
import { listLivingProcesses, type ProcessEntry } from "./process-table.ts";
import { isTagOfTick } from "./session-tag.ts";
import { type Reaped, reapFamily } from "./supervise-family.ts";

/** Carried by every session of one tick, besides a marker of its own. */
export function nameTickMarker(runId: string): string {
  return `tick-${runId}`;
}

/** Kills every process of that tick, again and again until none is left. */
export function reapTick(runId: string): Promise<Reaped> {
  return reapMarked(nameTickMarker(runId));
}

/** Kills everything that carries the marker or a tag of it, and its family. */
export async function reapMarked(marker: string): Promise<Reaped> {
  const isTagged = (entry: ProcessEntry): boolean => isTagOfTick(entry.tag(), marker);
  const since = await findOldestStart(marker, isTagged);
  if (since === null) return { survivors: [], undead: [] };
  return reapFamily(
    { members: new Map(), sessions: new Set() },
    {
      marker,
      hasTag: false,
      since,
      isTagged,
      isUnclear: () => false,
    },
  );
}

/** A process that is older than the oldest marked one is not part of the tick, even in the same session. */
async function findOldestStart(marker: string, isTagged: (entry: ProcessEntry) => boolean): Promise<number | null> {
  let oldest: number | null = null;
  for (const entry of await listLivingProcesses(marker)) {
    if (entry.pid === process.pid || (oldest !== null && entry.startOrder >= oldest)) continue;
    if (entry.isMarked() || isTagged(entry)) oldest = entry.startOrder;
  }
  return oldest;
}
