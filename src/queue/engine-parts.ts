/** What the operations of an engine share. */
import { setMaxListeners } from "node:events";
import type { FindDue } from "./pure/due-schedules.ts";
import type { ProcessIdentity } from "../process/process-identity.ts";
import type { Beats, JobStore, QueueLog } from "./engine-ports.ts";

export interface EngineClocks {
  /** The wall clock in milliseconds: for times that people name. It may jump. */
  readonly readClockMs: () => number;
  /** A clock that never jumps and that all processes of the machine share: for leases. */
  readonly readSteadyMs: () => number;
  readonly findDue: FindDue;
}

export interface EngineParts extends EngineClocks {
  readonly log: QueueLog;
  readonly store: JobStore;
  readonly beats: Beats;
  readonly now: () => string;
  readonly identity: ProcessIdentity;
  readonly changes: Changes;
}

export interface Changes {
  /** Calls after each change of the log, and some times a second, until the returned function is called. */
  readonly listen: (listener: () => void) => () => void;
  readonly close: () => void;
}

/** Watches only while somebody listens. */
export function openChanges(listeners: Set<() => void>, watch: () => () => void): Changes {
  let stop: (() => void) | null = null;
  const stopWatch = (): void => {
    stop?.();
    stop = null;
  };
  return {
    listen: (listener) => {
      const own = (): void => listener();
      listeners.add(own);
      stop ??= watch();
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) stopWatch();
      };
    },
    close: () => {
      for (const listener of listeners) listener();
      listeners.clear();
      stopWatch();
    },
  };
}

/** Waits for change after change and misses none in between. */
export interface ChangeWait {
  /** Resolves after a change since the last call, a part of a second, or the end of the signal. */
  readonly next: () => Promise<void>;
  readonly close: () => void;
}

export function waitForChanges(changes: Changes, signal: AbortSignal): ChangeWait {
  let hasChanged = false;
  let resume: (() => void) | null = null;
  const wake = (): void => {
    hasChanged = true;
    resume?.();
  };
  const unlisten = changes.listen(wake);
  setMaxListeners(0, signal); // As many as there are slots wait for one signal.
  signal.addEventListener("abort", wake);
  return {
    next: async () => {
      if (!hasChanged && !signal.aborted) await new Promise<void>((resolve) => (resume = resolve));
      hasChanged = false;
      resume = null;
    },
    close: () => {
      unlisten();
      signal.removeEventListener("abort", wake);
    },
  };
}
