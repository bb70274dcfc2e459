/** What the operations of the files engine share. */
import { setMaxListeners } from "node:events";
import { QueueError } from "../../contract/queue/queue-error.ts";
import type { FindDue } from "../../core/queue/due-schedules.ts";
import type { ProcessIdentity } from "../../io/process/process-identity.ts";
import { watchFolder } from "../../io/queue/watch-folder.ts";
import { openQueueLog, type QueueLog } from "./queue-log.ts";

export interface EngineOptions {
  readonly folder: string;
  /** The wall clock in milliseconds: for times that people name. It may jump. */
  readonly readClockMs: () => number;
  /** A clock that never jumps and that all processes of the machine share: for leases. */
  readonly readSteadyMs: () => number;
  readonly findDue: FindDue;
  /** A longer log goes on in a new file, with a snapshot before it. */
  readonly logBytesMax: number;
}

export interface EngineParts extends EngineOptions {
  readonly log: QueueLog;
  readonly now: () => string;
  readonly identity: ProcessIdentity;
  readonly changes: Changes;
}

export interface Changes {
  /** Calls after each change of the log, and some times a second, until the returned function is called. */
  readonly listen: (listener: () => void) => () => void;
  readonly close: () => void;
}

export function joinParts(options: EngineOptions, identity: ProcessIdentity): EngineParts {
  const now = (): string => new Date(options.readClockMs()).toISOString();
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of listeners) listener();
  };
  const { folder, logBytesMax } = options;
  const log = openQueueLog({ folder, logBytesMax, now, onRecords: wake });
  const look = (): void => {
    try {
      log.refresh();
    } catch (error) {
      if (!(error instanceof QueueError)) throw error; // Those who wait meet it themselves.
    }
    wake();
  };
  return { ...options, identity, now, log, changes: openChanges(listeners, () => watchFolder(folder, look)) };
}

/** Watches only while somebody listens. */
function openChanges(listeners: Set<() => void>, watch: () => () => void): Changes {
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
