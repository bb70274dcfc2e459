/**
 * Whether a series continues after a tick, or how it ends. What the tick itself decides comes first (a signal,
 * control.stop, a question), then the limits. A reached cap is left to the next preflight, which blocks with the
 * reason.
 */
import { type Code, CODES, SERIES_ENDS, type SeriesEnd } from "../../base/codes.ts";
import type { Config } from "../../config/config.ts";
import { HELD } from "../../records/suspicions.ts";
import { describeCause } from "../../tick/pure/cause-words.ts";
import { SAME_TASK_HINT, findTrippedBreaker } from "./breakers.ts";
import { isGreen, type SeriesTick } from "./series-tick.ts";
import type { Task } from "../../records/task.ts";

export interface SeriesOver {
  readonly kind: "end";
  readonly end: SeriesEnd;
  /** The code of the last tick, or the name of a breaker. */
  readonly reason: string;
  readonly message: string;
  readonly hint: string | null;
  readonly exit: number;
}

export type SeriesStep = { readonly kind: "go_on" } | { readonly kind: "wait" } | SeriesOver;

export interface SeriesBounds {
  readonly loop: Config["loop"];
  readonly maxTicks: number | null;
  /** Counters near their caps; none once a cap is reached, which blocks the next tick. */
  readonly warnings: readonly string[];
}

export function decideAfterTick(ticks: readonly SeriesTick[], bounds: SeriesBounds): SeriesStep {
  const last = ticks.at(-1);
  if (last === undefined) return { kind: "go_on" };
  if (last.isPassed === true) return applyBounds(ticks, bounds);
  if (!isGreen(last)) return decideAfterRed(ticks, last, bounds);
  const control = last.task?.control;
  if (control?.action !== "stop") return applyBounds(ticks, bounds);
  const message = control.reason ?? "The orchestrator ended the work.";
  return endSeries("complete", { reason: "control_stop", message });
}

const NEVER = Number.MAX_SAFE_INTEGER;

/** For a workflow with limits of its own: breakers are for series that propose their own tasks. */
export function withoutBreakers(loop: Config["loop"]): Config["loop"] {
  const breakers = { same_task: NEVER, same_code: NEVER, empty_ticks: NEVER, infrastructure_failures: NEVER };
  return { ...loop, on_stop: "continue", breakers };
}

/** An agent's program chooses some of the causes, so one may be called as something that every object has. */
const INTERRUPTIONS: ReadonlyMap<string, number> = new Map([
  ["sighup", 129],
  ["sigint", 130],
  ["sigterm", 143],
]);

function decideAfterRed(ticks: readonly SeriesTick[], last: SeriesTick, bounds: SeriesBounds): SeriesStep {
  const end = findFinalEnd(last);
  if (end !== null) return end;
  const isLimited = last.code === "STOP_RATE_LIMITED";
  if (isLimited && bounds.loop.on_rate_limit === "wait") return { kind: "wait" };
  if (last.code === "STOP_NO_PROGRESS") return endWithTick("breaker", last);
  // Nobody has to look at this now: the next plan gets the reason, empty ticks are counted, and held work waits.
  const isSeenLater = last.code === "STOP_NO_CHANGE" || last.code === "STOP_REJECTED" || last.code === HELD;
  if (isSeenLater) return applyBounds(ticks, bounds);
  return isLimited || bounds.loop.on_stop === "halt" ? haltSeries(last) : applyBounds(ticks, bounds);
}

const NEXT_MILESTONE = "`relais loop` starts that milestone; `--mode autonomous` continues by itself.";

const FOR_A_PERSON: readonly Code[] = ["STOP_QUESTION", "STOP_UNDECIDED"];

/** Independent of the settings. */
function findFinalEnd(last: SeriesTick): SeriesOver | null {
  const { code, cause } = last;
  const status = code === "STOP_INTERRUPTED" ? INTERRUPTIONS.get(cause ?? "") : undefined;
  if (status !== undefined) return { ...endWithTick("interrupted", last), exit: status };
  if (CODES[code].verdict === "blocked") return { ...endWithTick("blocked", last), exit: CODES[code].exit };
  if (code === "STOP_INTERRUPTED" && cause === MILESTONE_CHANGED)
    return { ...endWithTick("milestone_changed", last), reason: MILESTONE_CHANGED, hint: NEXT_MILESTONE };
  if (code === "STOP_BREAKER") return { ...endWithTick("breaker", last), reason: cause ?? code, hint: SAME_TASK_HINT };
  return FOR_A_PERSON.includes(code) ? endWithTick("needs_human", last) : null;
}

function haltSeries(last: SeriesTick): SeriesOver {
  if (last.code === "STOP_TICK_TIMEOUT") return endWithTick("timeout", last);
  return { ...endWithTick("stopped", last), exit: CODES[last.code].exit };
}

function applyBounds(ticks: readonly SeriesTick[], { loop, maxTicks, warnings }: SeriesBounds): SeriesStep {
  const tripped = findTrippedBreaker(ticks, loop);
  if (tripped !== null) {
    const { breaker, message, hint } = tripped;
    const reason = breaker === "empty_ticks" ? "STOP_NO_PROGRESS" : breaker;
    return endSeries("breaker", { reason, message, hint });
  }
  const count = ticks.filter(({ isCounted }) => isCounted).length;
  if (maxTicks !== null && count >= maxTicks) {
    return endSeries("max_ticks", {
      reason: "max_ticks",
      message: describeMaxTicks(maxTicks),
    });
  }
  const [warning] = warnings;
  if (warning !== undefined && loop.soft_stop_at_warning) {
    return endSeries("budget_warning", {
      reason: "soft_stop_at_warning",
      message: `Budget warning: ${warning}`,
      hint: "Review the work, then raise the cap or set loop.soft_stop_at_warning to false.",
    });
  }
  return { kind: "go_on" };
}

function endWithTick(end: SeriesEnd, { code, cause, message, goOn }: SeriesTick): SeriesOver {
  const { meaning, remedy } = describeCause(code, cause);
  const hint = goOn === undefined ? remedy : `Fix it first, or let the work fix it: ${goOn}`;
  return endSeries(end, { reason: code, message: message ?? meaning, hint });
}

/** What a person asked for, which is less than the whole series has where it was resumed. */
export function describeMaxTicks(asked: number): string {
  return `Reached --max-ticks (${asked}).`;
}

export function endSeries(
  end: SeriesEnd,
  why: { readonly reason: string; readonly message: string; readonly hint?: string },
): SeriesOver {
  return { kind: "end", end, hint: null, exit: SERIES_ENDS[end].exit, ...why };
}

/** The cause of a tick whose task belongs to another milestone than the series. */
export const MILESTONE_CHANGED = "milestone_changed";

/** The milestone of the series, if this task belongs to another one. */
export function findOtherMilestone(ticks: readonly SeriesTick[], task: Task): string | null {
  const first = ticks.find((tick) => tick.task !== null)?.task?.milestone_id ?? task.milestone_id;
  return first === task.milestone_id ? null : first;
}
