/**
 * The bounds of every git process of some work, however deep in it git is called.
 *
 * Dozens of small functions run git, and one of them without a signal would outlive the work. So the bounds belong to
 * the work and not to the call.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface GitBounds {
  /** Carried by each git and all that it starts, so that they can be found when nobody waits for them any more. */
  readonly marker: string | null;
  /** Ends each git at once; null where the work must finish. */
  readonly signal: AbortSignal | null;
}

const UNBOUNDED: GitBounds = { marker: null, signal: null };
const storage = new AsyncLocalStorage<GitBounds>();

export function withGitBounds<T>(bounds: GitBounds, work: () => Promise<T>): Promise<T> {
  return storage.run(bounds, work);
}

export function getGitBounds(): GitBounds {
  return storage.getStore() ?? UNBOUNDED;
}
