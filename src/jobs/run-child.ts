/** Runs a command of relais in the place of a job, as a process that cannot outlive this one. */
import { join } from "node:path";
import type { SessionProcess } from "../records/session-process.ts";
import type { Claim } from "../queue/pure/engine.ts";
import { takeLastLines } from "../records/last-lines.ts";
import { followLines } from "../system/follow-file.ts";
import { type Child, readLastDocument, startChild } from "../process/children.ts";
import { clearJobPlace, type JobPlace } from "./job-workspace.ts";

/** Long enough for the rollback of a large tree; the agent itself is reached at once. */
const GRACE_MS = 30_000;

export interface ChildRun {
  /** How to start relais. */
  readonly relais: readonly [node: string, executable: string];
  readonly args: readonly string[];
  readonly place: JobPlace;
  /** Names the files with its output. */
  readonly name: string;
  /** Called before it does anything; false ends it. */
  readonly onStarted: (process: SessionProcess) => Promise<boolean>;
  /** Of the claim, where one is needed. */
  readonly leash?: Claim["leash"];
  /** Asks it to end: it reverts its change. After a grace it is killed, with everything that it started. */
  readonly stop: AbortSignal;
}

export interface ChildEnd {
  readonly status: number | null;
  readonly signal: string | null;
  /** The last document that it printed; null where there is none. */
  readonly document: Readonly<Record<string, unknown>> | null;
  /** The last lines of its log. */
  readonly log: readonly string[];
}

/** Null where `onStarted` refused. Nothing of the program is left then, nor after the end of any other. */
export async function runChild(run: ChildRun): Promise<ChildEnd | null> {
  const { relais, place, args, name, onStarted } = run;
  const [out, log] = [locateOutput(place, name, "out"), locateOutput(place, name, "log")];
  const argv = [...relais, ...args] as const;
  const child = await startChild({ argv, cwd: place.repo, env: place.environment, out, log });
  if (!(await onStarted(child).catch(() => false))) {
    await clearJobPlace(place, child);
    return null;
  }
  const unleash = run.leash?.(child.hold);
  child.begin();
  const stopped = watchStop(run, child);
  const { status, signal } = await child.exit;
  unleash?.();
  await stopped();
  if (signal !== null || run.stop.aborted) await clearJobPlace(place, child);
  return { status, signal, document: readLastDocument(out), log: takeLastLines(followLines(log)(true).join("\n")) };
}

export function locateOutput({ folder }: JobPlace, name: string, kind: "out" | "log"): string {
  return join(folder, `${name}.${kind}`);
}

/** Answers with a function that ends the watch, and waits for a kill that has begun. */
function watchStop({ stop, place }: ChildRun, child: Child): () => Promise<void> {
  let timer: NodeJS.Timeout | null = null;
  let killed = Promise.resolve();
  const end = (): void => {
    child.signal("SIGTERM");
    timer = setTimeout(() => (killed = clearJobPlace(place, child)), GRACE_MS);
  };
  if (stop.aborted) end();
  else stop.addEventListener("abort", end, { once: true });
  return () => {
    stop.removeEventListener("abort", end);
    if (timer !== null) clearTimeout(timer);
    return killed;
  };
}
