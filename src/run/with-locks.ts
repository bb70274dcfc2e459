import type { Lock } from "../contract/lock.ts";
import { currentTimeMs } from "../io/clock.ts";
import { acquireLock } from "../io/lock.ts";

export type LockRefusal =
  | { readonly kind: "busy"; readonly holder: Lock }
  | { readonly kind: "corrupt"; readonly path: string; readonly reason: string };

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
export async function withLocks<T>(
  { paths, runId }: LockRequest,
  work: () => Promise<T>,
): Promise<{ readonly kind: "done"; readonly value: T } | LockRefusal> {
  const [path, ...rest] = paths;
  if (path === undefined) return { kind: "done", value: await work() };
  const lock = await acquireLock({ path, runId, now: () => new Date(currentTimeMs()).toISOString() });
  if (lock.kind !== "held") return lock;
  try {
    return await withLocks({ paths: rest, runId }, work);
  } finally {
    // One that cannot be removed is stale as soon as we are gone; it must not hide what became of the work.
    await lock.release().catch(() => undefined);
  }
}
