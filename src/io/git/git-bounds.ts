/**
 * What bounds every git process of a piece of work, however deep in it git is called.
 *
 * Dozens of small functions run git, and a single one that were not told when the work must end would outlive it. So the
 * bounds belong to the work and not to the call: whoever begins the work names them once, and the one place that starts
 * git asks for them.
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
