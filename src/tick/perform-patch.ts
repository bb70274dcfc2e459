/**
 * A task with a patch: no agent is called, and nothing is written until the result is judged.
 *
 * The build phase foresees the result of the patch, which the judge reads. Only a candidate
 * that passes every gate is written, and then checked and settled as any other.
 */
import type { TickEvent } from "../records/event.ts";
import { InvariantError } from "../base/invariant.ts";
import type { Task } from "../records/task.ts";
import { readClockMs } from "../system/clock.ts";
import { createDispatch } from "../system/drop-folder.ts";
import type { Foreseen } from "../evidence/foresee-patch.ts";
import { readRules } from "./perform-judge.ts";
import type { RunningSession, TickSession } from "./tick-session.ts";

export function announcePatch({ work }: RunningSession): TickEvent {
  const started = {
    type: "build_started",
    driver: "patch",
    sandbox: "none",
    dispatch: createDispatch(),
  } as const;
  return work.isOwnPatch === true ? { ...started, own_patch: true } : started;
}

export async function performPatch(session: TickSession, task: Task, patch: string): Promise<TickEvent> {
  const startedAt = readClockMs();
  const { candidate, failure, message } = await performForeseePatch(session, task, patch);
  session.memory.foreseen = candidate;
  return {
    type: "build_ended",
    failure,
    builder_output_valid: null,
    summary: message,
    duration_ms: Math.max(0, Math.round(readClockMs() - startedAt)),
    usage: null,
  };
}

export function performForeseePatch(session: TickSession, task: Task, patch: string): Promise<Foreseen> {
  const { place, runDirectory, signal } = session;
  return place.foresee({ patch, rules: readRules(session, task), folder: runDirectory, signal });
}

/** Writes what was judged: the candidate of the following steps. */
export async function performWrite({ place, memory }: TickSession): Promise<TickEvent> {
  if (memory.foreseen === null) throw new InvariantError("nothing was judged that could be written");
  memory.candidate = await place.write(memory.foreseen);
  return { type: "written" };
}
