/**
 * Limits on repeated failure. A breaker looks only at what happened, never at an agent's explanation. A repeated task
 * is found before a builder is paid again; the others look at the finished ticks.
 */
import { CODES, type Code } from "../../base/codes.ts";
import type { Config } from "../../config/config.ts";
import type { Task } from "../../records/task.ts";
import { isGreen, type SeriesTick } from "./series-tick.ts";

type BreakerLimits = Config["loop"]["breakers"];

export interface TrippedBreaker {
  readonly breaker: keyof BreakerLimits;
  readonly message: string;
  readonly hint: string;
}

export const SAME_TASK_HINT = "Explain the obstacle in FACTS.md or GOAL.md, or make the step smaller.";

/** A failed task was proposed once too often. */
export function findRepeatedTask(
  ticks: readonly SeriesTick[],
  task: Task,
  { same_task: limit }: BreakerLimits,
): TrippedBreaker | null {
  const fingerprint = fingerprintTask(task);
  const failures = ticks.filter((tick) => tick.isCounted && hasFailedAt(tick, fingerprint)).length;
  if (failures + 1 < limit) return null;
  return {
    breaker: "same_task",
    message: `The same task came again after it failed ${describeTimes(failures)}.`,
    hint: SAME_TASK_HINT,
  };
}

/**
 * A question has not failed: it goes to a person, and so do an undecided change and a held one, which has a bound of its own. A tick without changes is counted by `findEmptyTicks`, and work that
 * a limit ended is continued.
 */
function hasFailedAt(tick: SeriesTick, fingerprint: string): boolean {
  const isOther = ["STOP_QUESTION", "STOP_NO_CHANGE", "STOP_UNDECIDED", "STOP_SUSPECT"].includes(tick.code);
  const hasFailed = !isGreen(tick) && !isOther && tick.unfinished === undefined;
  return hasFailed && tick.task !== null && fingerprintTask(tick.task) === fingerprint;
}

/** A series that halts at a stop is ended by empty ticks alone. */
export function findTrippedBreaker(ticks: readonly SeriesTick[], loop: Config["loop"]): TrippedBreaker | null {
  const { breakers: limits, on_stop: onStop } = loop;
  const counted = ticks.filter(({ isCounted }) => isCounted);
  const empty = findEmptyTicks(counted, limits);
  if (onStop === "halt" || empty !== null) return empty;
  return findInfrastructureFailures(counted, limits) ?? findSameCode(counted, limits);
}

/** These codes say nothing about the work. */
const INFRASTRUCTURE: readonly Code[] = ["STOP_INTERRUPTED", "STOP_TICK_TIMEOUT", "STOP_BUILDER_TIMEOUT"];

function findInfrastructureFailures(ticks: readonly SeriesTick[], limits: BreakerLimits): TrippedBreaker | null {
  const length = countLastInARow(ticks, ({ code }) => INFRASTRUCTURE.includes(code));
  if (length < limits.infrastructure_failures) return null;
  const last = ticks.at(-1)?.cause ?? ticks.at(-1)?.code ?? "";
  return {
    breaker: "infrastructure_failures",
    message: `${length} ticks in a row failed to run; last cause: ${last}.`,
    hint: "Run `relais doctor`, fix the problems, and start again.",
  };
}

function findSameCode(ticks: readonly SeriesTick[], limits: BreakerLimits): TrippedBreaker | null {
  const code = ticks.at(-1)?.code;
  if (code === undefined || code === "STOP_NO_CHANGE" || CODES[code].verdict === "success") return null;
  const length = countLastInARow(ticks, (tick) => tick.code === code);
  if (length < limits.same_code) return null;
  return {
    breaker: "same_code",
    message: `${length} ticks in a row ended with ${code}.`,
    hint: CODES[code].remedy,
  };
}

function findEmptyTicks(ticks: readonly SeriesTick[], limits: BreakerLimits): TrippedBreaker | null {
  const length = countLastInARow(ticks, isEmpty);
  if (length < limits.empty_ticks) return null;
  return {
    breaker: "empty_ticks",
    message: `${length} ticks in a row changed nothing (loop.breakers.empty_ticks).`,
    hint: "Say in GOAL.md what to do next, or end the milestone.",
  };
}

/** A `verify_only` tick is never empty. */
function isEmpty(tick: SeriesTick): boolean {
  if (tick.code === "STOP_NO_CHANGE") return true;
  return isGreen(tick) && !tick.changed && tick.task?.task_kind !== "verify_only";
}

function countLastInARow(ticks: readonly SeriesTick[], matches: (tick: SeriesTick) => boolean): number {
  const last = ticks.findLastIndex((tick) => !matches(tick));
  return ticks.length - 1 - last;
}

function describeTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/**
 * Two tasks with the same fingerprint are the same attempt. A repeated proposal gets a new id and other white space, so
 * neither counts. The limits count: the same words with more room are an answer to a change that was too large.
 */
export function fingerprintTask(task: Task): string {
  return JSON.stringify([
    task.task_kind ?? "control",
    normaliseWords(task.intent),
    fingerprintBuilder(task),
    fingerprintScope(task),
    [task.verification?.fast, task.verification?.slow, task.verification?.params],
    normaliseWords(task.question?.prompt),
  ]);
}

function fingerprintScope({ scope, diff_limits: limits }: Task): readonly unknown[] {
  return [
    (scope?.allowed_globs ?? []).toSorted(),
    (scope?.forbidden_globs ?? []).toSorted(),
    [scope?.allow_new_files, scope?.allow_lockfile_changes],
    [limits?.max_files_touched, limits?.max_lines_changed],
  ];
}

function fingerprintBuilder({ builder }: Task): readonly unknown[] {
  if (builder === undefined) return [];
  const patch = builder.mode === "patch" ? builder.patch : null;
  return [normaliseWords(builder.instructions), patch, builder.max_turns];
}

function normaliseWords(text: string | undefined): string {
  return (text ?? "").normalize("NFC").toLowerCase().split(/\s+/).join(" ").trim();
}
