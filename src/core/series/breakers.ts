/**
 * What ends a series that goes on after a stop but does not get on.
 *
 * A breaker looks only at what happened and never at why an agent says it happened. The repeated task is found before
 * anybody is paid to build it again; the others look back over the ticks that are over.
 */
import { CODES, type Code } from "../../contract/values/codes.ts";
import type { Config } from "../../contract/config/config.ts";
import type { Task } from "../../contract/documents/task.ts";
import { isGreen, type SeriesTick } from "./series-tick.ts";
import { fingerprintTask } from "./task-fingerprint.ts";

type Limits = Config["loop"]["breakers"];

export interface Tripped {
  readonly breaker: keyof Limits;
  /** What was seen, in one sentence. */
  readonly message: string;
  /** What a person can do about it. */
  readonly hint: string;
}

/** What a person can do about a task that comes again and again. */
export const SAME_TASK_HINT = "Explain the obstacle in FACTS.md or GOAL.md, or make the step smaller.";

/** The breaker that a task trips by coming once too often after it failed, or null. */
export function findRepeatedTask(
  ticks: readonly SeriesTick[],
  task: Task,
  { same_task: limit }: Limits,
): Tripped | null {
  const fingerprint = fingerprintTask(task);
  const failures = ticks.filter((tick) => tick.isCounted && hasFailedAt(tick, fingerprint)).length;
  if (failures + 1 < limit) return null;
  return {
    breaker: "same_task",
    message: `The same task came again after it failed ${times(failures)}.`,
    hint: SAME_TASK_HINT,
  };
}

/**
 * A question has not failed: it goes to a person again and to no builder. What changed nothing is counted by
 * `emptyTicks`, and work that a limit ended goes on from where it was.
 */
function hasFailedAt(tick: SeriesTick, fingerprint: string): boolean {
  const isOther = tick.code === "STOP_QUESTION" || tick.code === "STOP_NO_CHANGE";
  const hasFailed = !isGreen(tick) && !isOther && tick.unfinished === undefined;
  return hasFailed && tick.task !== null && fingerprintTask(tick.task) === fingerprint;
}

/** The breaker that the last ticks trip, or null. A series that halts at a stop is ended by empty ticks alone. */
export function findTrippedBreaker(ticks: readonly SeriesTick[], loop: Config["loop"]): Tripped | null {
  const { breakers: limits, on_stop: onStop } = loop;
  const counted = ticks.filter(({ isCounted }) => isCounted);
  const empty = emptyTicks(counted, limits);
  if (onStop === "halt" || empty !== null) return empty;
  return infrastructure(counted, limits) ?? sameCode(counted, limits);
}

/** Codes that say nothing about the work, only that it could not be done. */
const INFRASTRUCTURE: readonly Code[] = ["STOP_INTERRUPTED", "STOP_TICK_TIMEOUT", "STOP_BUILDER_TIMEOUT"];

function infrastructure(ticks: readonly SeriesTick[], limits: Limits): Tripped | null {
  const length = lastInARow(ticks, ({ code }) => INFRASTRUCTURE.includes(code));
  if (length < limits.infrastructure_failures) return null;
  const last = ticks.at(-1)?.cause ?? ticks.at(-1)?.code ?? "";
  return {
    breaker: "infrastructure_failures",
    message: `${length} ticks in a row failed to run; last cause: ${last}.`,
    hint: "Run `relais doctor`, fix the problems, and start again.",
  };
}

function sameCode(ticks: readonly SeriesTick[], limits: Limits): Tripped | null {
  const code = ticks.at(-1)?.code;
  if (code === undefined || code === "STOP_NO_CHANGE" || CODES[code].verdict === "success") return null;
  const length = lastInARow(ticks, (tick) => tick.code === code);
  if (length < limits.same_code) return null;
  return {
    breaker: "same_code",
    message: `${length} ticks in a row ended with ${code}.`,
    hint: CODES[code].remedy,
  };
}

function emptyTicks(ticks: readonly SeriesTick[], limits: Limits): Tripped | null {
  const length = lastInARow(ticks, isEmpty);
  if (length < limits.empty_ticks) return null;
  return {
    breaker: "empty_ticks",
    message: `${length} ticks in a row changed nothing (loop.breakers.empty_ticks).`,
    hint: "Say in GOAL.md what to do next, or end the milestone.",
  };
}

/** A tick that was only to verify something has done so. */
function isEmpty(tick: SeriesTick): boolean {
  if (tick.code === "STOP_NO_CHANGE") return true;
  return isGreen(tick) && !tick.changed && tick.task?.task_kind !== "verify_only";
}

function lastInARow(ticks: readonly SeriesTick[], matches: (tick: SeriesTick) => boolean): number {
  const last = ticks.findLastIndex((tick) => !matches(tick));
  return ticks.length - 1 - last;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
