import type { NotReady } from "../records/command-failure.ts";
import { readClockMs } from "../system/clock.ts";
import { acquireLock, type LockResult } from "../journal/acquire-lock.ts";
import { lockUnavailable, readLocks } from "./read-locks.ts";
import type { DamagedLock } from "../records/recovery.ts";
import type { NoteInLocks } from "./workspace.ts";

interface HeldLocks {
  readonly kind: "held";
  readonly note: NoteInLocks;
  readonly release: () => Promise<void>;
}

/** Takes all locks in this order, or none. */
export async function takeLocks(paths: readonly string[], runId: string): Promise<HeldLocks | NotReady> {
  const held: Extract<LockResult, { kind: "held" }>[] = [];
  // A lock that cannot be removed is stale as soon as we exit; it must not hide the result.
  const release = async (): Promise<void> => {
    for (const lock of held.toReversed()) await lock.release().catch(() => undefined);
  };
  try {
    for (const path of paths) {
      const lock = await acquireLock(path, runId, () => new Date(readClockMs()).toISOString());
      if (lock.kind !== "held") {
        await release();
        return lockUnavailable(lock);
      }
      held.push(lock);
    }
  } catch (error) {
    await release();
    throw error;
  }
  const note: NoteInLocks = async (text) => {
    for (const lock of held) await lock.note(text);
  };
  return { kind: "held", note, release };
}

export async function clearStaleLocks(paths: readonly string[], runId: string): Promise<DamagedLock | null> {
  for (const path of paths) {
    const [sighting] = await readLocks([path]);
    if (sighting?.kind === "corrupt") return { path, reason: sighting.reason };
    if (sighting?.kind !== "stale") continue;
    const taken = await takeLocks([path], runId);
    if (taken.kind === "held") await taken.release();
  }
  return null;
}
