/**
 * Whether a series goes on after a tick, and if not, how it ended.
 *
 * The order is the order of certainty: what a tick itself says about the series comes first (a signal, control.stop, a
 * question), then what bounds it. A cap that is reached is left to the next preflight, which blocks with the reason.
 */
import { CODES, SERIES_ENDS, type SeriesEnd } from "../../contract/values/codes.ts";
import type { Config } from "../../contract/config/config.ts";
import { describeCause } from "../words/cause-words.ts";
import { SAME_TASK_HINT, findTrippedBreaker } from "./breakers.ts";
import { MILESTONE_CHANGED } from "./other-milestone.ts";
import { isGreen, type SeriesTick } from "./series-tick.ts";

export interface SeriesOver {
  readonly kind: "end";
  readonly end: SeriesEnd;
  /** Precisely why: the code of the last tick, the name of a breaker. */
  readonly reason: string;
  /** One sentence for a person. */
  readonly message: string;
  readonly hint: string | null;
  /** The status of the process. */
  readonly exit: number;
}

export type SeriesStep = { readonly kind: "go_on" } | { readonly kind: "wait" } | SeriesOver;

export interface SeriesBounds {
  readonly loop: Config["loop"];
  readonly maxTicks: number | null;
  /** The counters that have come near their caps; none once a cap is reached, which blocks the next tick. */
  readonly warnings: readonly string[];
}

/** What comes after the last of these ticks; a series without any has only begun. */
export function decideAfterTick(ticks: readonly SeriesTick[], bounds: SeriesBounds): SeriesStep {
  const last = ticks.at(-1);
  if (last === undefined) return { kind: "go_on" };
  if (last.isPassed === true) return bounded(ticks, bounds);
  return isGreen(last) ? afterGreen(ticks, last, bounds) : afterRed(ticks, last, bounds);
}

function afterGreen(ticks: readonly SeriesTick[], last: SeriesTick, bounds: SeriesBounds): SeriesStep {
  const control = last.task?.control;
  if (control?.action === "stop") {
    return endSeries("complete", {
      reason: "control_stop",
      message: control.reason ?? "The orchestrator ended the work.",
    });
  }
  return bounded(ticks, bounds);
}

const INTERRUPTIONS: Readonly<Record<string, number>> = { sighup: 129, sigint: 130, sigterm: 143 };

function afterRed(ticks: readonly SeriesTick[], last: SeriesTick, bounds: SeriesBounds): SeriesStep {
  const end = finalEnd(last);
  if (end !== null) return end;
  const isLimited = last.code === "STOP_RATE_LIMITED";
  if (isLimited && bounds.loop.on_rate_limit === "wait") return { kind: "wait" };
  if (last.code === "STOP_NO_PROGRESS") return endingWith("breaker", last);
  // Nothing has gone wrong that a person must look at: the next plan is told, and the empty ticks are counted.
  if (last.code === "STOP_NO_CHANGE") return bounded(ticks, bounds);
  return isLimited || bounds.loop.on_stop === "halt" ? halted(last) : bounded(ticks, bounds);
}

const NEXT_MILESTONE = "`relais loop` starts that milestone; `--mode autonomous` continues by itself.";

/** What ends a series whatever its settings say. */
function finalEnd(last: SeriesTick): SeriesOver | null {
  const { code, cause } = last;
  const status = code === "STOP_INTERRUPTED" ? INTERRUPTIONS[cause ?? ""] : undefined;
  if (status !== undefined) return { ...endingWith("interrupted", last), exit: status };
  if (CODES[code].verdict === "blocked") return { ...endingWith("blocked", last), exit: CODES[code].exit };
  if (code === "STOP_INTERRUPTED" && cause === MILESTONE_CHANGED)
    return { ...endingWith("milestone_changed", last), reason: MILESTONE_CHANGED, hint: NEXT_MILESTONE };
  if (code === "STOP_BREAKER") return { ...endingWith("breaker", last), reason: cause ?? code, hint: SAME_TASK_HINT };
  return code === "STOP_QUESTION" ? endingWith("needs_human", last) : null;
}

function halted(last: SeriesTick): SeriesOver {
  if (last.code === "STOP_TICK_TIMEOUT") return endingWith("timeout", last);
  return { ...endingWith("stopped", last), exit: CODES[last.code].exit };
}

function bounded(ticks: readonly SeriesTick[], { loop, maxTicks, warnings }: SeriesBounds): SeriesStep {
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

function endingWith(end: SeriesEnd, { code, cause, message }: SeriesTick): SeriesOver {
  const { meaning, remedy } = describeCause(code, cause);
  return endSeries(end, { reason: code, message: message ?? meaning, hint: remedy });
}

/** The end of a series, with the status that its table gives it. */
/** What a person asked for, which is less than the whole series has where it was resumed. */
export function describeMaxTicks(asked: number): string {
  return `Reached --max-ticks (${asked}).`;
}

export function endSeries(
  end: SeriesEnd,
  why: { readonly reason: string; readonly message: string; readonly hint?: string },
): SeriesOver {
  return {
    kind: "end",
    end,
    reason: why.reason,
    message: why.message,
    hint: why.hint ?? null,
    exit: SERIES_ENDS[end].exit,
  };
}
