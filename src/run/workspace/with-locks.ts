import type { Lock } from "../../contract/journal/lock.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { acquireLock, type LockNote } from "../../io/journal/lock.ts";
import { JournalFailure } from "./journal-failure.ts";

export type LockRefusal =
  | { readonly kind: "busy"; readonly holder: Lock }
  | { readonly kind: "corrupt"; readonly path: string; readonly reason: string };

/** Writes into every lock that is held which tick is at work and where the journal ends. */
export type NoteInLocks = (note: LockNote) => Promise<void>;

export interface LockRequest {
  /** Taken in this order and given back in the other. */
  readonly paths: readonly string[];
  readonly runId: string;
}

/**
 * Does some work while holding the locks, and gives them back last.
 *
 * There is more than one: the lock of the state directory is shared by linked worktrees, the one in the workspace holds
 * off a relais that keeps its state elsewhere.
 */
export function withLocks<T>(
  request: LockRequest,
  work: (note: NoteInLocks) => Promise<T>,
): Promise<Locked<T>> {
  return takeNext(request, work, () => Promise.resolve());
}

type Locked<T> = { readonly kind: "done"; readonly value: T } | LockRefusal;

async function takeNext<T>(
  { paths, runId }: LockRequest,
  work: (note: NoteInLocks) => Promise<T>,
  noteInOthers: NoteInLocks,
): Promise<Locked<T>> {
  const [path, ...rest] = paths;
  if (path === undefined) return { kind: "done", value: await work(noteInOthers) };
  const lock = await acquireLock({ path, runId, now: () => new Date(currentTimeMs()).toISOString() });
  if (lock.kind !== "held") return lock;
  let isCutShort = false;
  try {
    return await takeNext({ paths: rest, runId }, work, async (note) => {
      await noteInOthers(note);
      await lock.note(note);
    });
  } catch (error) {
    isCutShort = error instanceof JournalFailure;
    throw error;
  } finally {
    // One that cannot be removed is stale as soon as we are gone; it must not hide what became of the work.
    // Where the journal cannot tell what became of it, the locks stay, as after a crash: they may be all that does.
    if (!isCutShort) await lock.release().catch(() => undefined);
  }
}
