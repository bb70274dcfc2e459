/**
 * Reports each process that relais starts, for people who want to know what takes the time.
 *
 * Like the bounds of git, the listener belongs to the work and not to the call, so that no function has to pass it on.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ChildProcess } from "node:child_process";

interface StartedProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A process that has ended, or that was left running. */
export interface ProcessNote extends StartedProcess {
  readonly durationMs: number;
  /** How it ended, in a few words. */
  readonly end: string;
}

const storage = new AsyncLocalStorage<(note: ProcessNote) => void>();

/** Reports each process that `work` starts, at the end of that process. */
export function withProcessNotes<T>(onProcess: (note: ProcessNote) => void, work: () => Promise<T>): Promise<T> {
  return storage.run(onProcess, work);
}

interface StartedChild extends StartedProcess {
  readonly child: ChildProcess;
  /** Whether nobody waits for its end. */
  readonly isApart?: boolean;
}

export function noteProcess({ child, isApart = false, ...started }: StartedChild): void {
  if (storage.getStore() === undefined) return;
  const end = beginNote(started);
  if (child.pid === undefined) child.once("error", ({ message }) => end(`not started: ${message}`));
  else if (isApart) end(`left running as process ${child.pid}`);
  else child.once("exit", (status, signal) => end(signal === null ? `status ${status}` : signal));
}

/** Notes a process that is about to be started and waited for; call the answer with how it ended. */
export function beginNote({ argv, env }: StartedProcess): (end: string) => void {
  const tell = storage.getStore();
  if (tell === undefined) return () => {};
  const began = performance.now();
  return (end) => tell({ argv, env, end, durationMs: performance.now() - began });
}
