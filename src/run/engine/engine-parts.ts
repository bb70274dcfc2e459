/** What the operations of the files engine share. */
import { QueueError } from "../../contract/queue/queue-error.ts";
import { describeError } from "../../contract/values/describe-error.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import type { FindDue } from "../../core/queue/due-schedules.ts";
import { type ProcessIdentity } from "../../io/process/process-identity.ts";
import { watchFolder } from "../../io/queue/watch-folder.ts";
import { openQueueLog, type QueueLog } from "./queue-log.ts";

export interface EngineOptions {
  readonly folder: string;
  /** The wall clock in milliseconds: for times that people name. It may jump. */
  readonly readClockMs: () => number;
  /** A clock that never jumps and that all processes of the machine share: for leases. */
  readonly readSteadyMs: () => number;
  readonly findDue: FindDue;
}

export interface EngineParts extends EngineOptions {
  readonly log: QueueLog;
  readonly now: () => string;
  readonly identity: ProcessIdentity;
  readonly changes: Changes;
}

export interface Changes {
  /** Resolves after the next change of the log, a part of a second, or the end of the signal. */
  readonly next: (signal: AbortSignal) => Promise<void>;
  /** Calls after each change, and some times a second, until the returned function is called. */
  readonly listen: (listener: () => void) => () => void;
  readonly wake: () => void;
  readonly close: () => void;
}

export function joinParts(options: EngineOptions, identity: ProcessIdentity): EngineParts {
  const now = (): string => new Date(options.readClockMs()).toISOString();
  const changes = openChanges(options.folder, () => log.refresh());
  const log = openQueueLog({ folder: options.folder, now, onRecords: changes.wake });
  return { ...options, identity, now, log, changes };
}

/** Watches the folder only while somebody waits. */
function openChanges(folder: string, refresh: () => void): Changes {
  const listeners = new Set<() => void>();
  let stop: (() => void) | null = null;
  const wake = (): void => {
    for (const listener of listeners) listener();
  };
  const look = (): void => {
    try {
      refresh();
    } catch (error) {
      if (!(error instanceof QueueError)) throw new InvariantError(describeError(error)); // The listeners meet it, too.
    }
    wake();
  };
  const listen = (listener: () => void): (() => void) => {
    const own = (): void => listener();
    listeners.add(own);
    stop ??= watchFolder(folder, look);
    return () => {
      listeners.delete(own);
      if (listeners.size > 0) return;
      stop?.();
      stop = null;
    };
  };
  const next = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        unlisten();
        signal.removeEventListener("abort", done);
        resolve();
      };
      const unlisten = listen(done);
      if (signal.aborted) done();
      else signal.addEventListener("abort", done);
    });
  const close = (): void => {
    stop?.();
    stop = null;
    wake();
  };
  return { next, listen, wake, close };
}
