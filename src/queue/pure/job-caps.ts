import type { Config } from "../../config/config.ts";
import type { JobCommand, JobHead } from "./job.ts";

import { isSingleTick } from "./job-arguments.ts";

type Caps = JobHead["caps"];

/** Before the repository is cloned: only the ticks that the person asked for. Its own configuration decides the rest. */
export function listAskedCaps(command: JobCommand, asked: number | null): Caps {
  const ticks = isSingleTick(command) ? 1 : asked === null ? null : asked * (command === "goal" ? TICKS_A_TURN : 1);
  return { ticks, sessions: null, seconds: null, dollars: null };
}

/** The most that a job may cost. `asked` is the number that the person gave for ticks, turns or iterations. */
export function listJobCaps(command: JobCommand, config: Config, asked: number | null): Caps {
  const { per_milestone, per_run } = config.budgets;
  const budgets = [per_milestone, per_run];
  const ticks = Math.min(countTicks(command, config, asked), ...budgets.map(({ max_ticks }) => max_ticks));
  const dollars = budgets.flatMap(({ max_estimated_cost_usd: cap }) => cap ?? []);
  return {
    ticks,
    sessions: isSingleTick(command) ? 1 + config.review.reviewers.length : Math.min(...budgets.map(countSessions)),
    seconds: Math.ceil(ticks * config.runner.max_tick_seconds),
    dollars: dollars.length === 0 ? null : Math.min(...dollars),
  };
}

function countSessions(caps: Config["budgets"]["per_run"]): number {
  return caps.max_orchestrator_calls + caps.max_builder_calls + caps.max_reviewer_calls;
}

/** A turn of a goal is built in one tick and reviewed in another. */
const TICKS_A_TURN = 2;

function countTicks(command: JobCommand, config: Config, asked: number | null): number {
  if (isSingleTick(command)) return 1;
  if (command === "goal") return TICKS_A_TURN * (asked ?? config.goal.max_turns);
  if (command === "tree") return Math.min(asked ?? Infinity, config.tree.max_iterations);
  return asked ?? Infinity;
}

/** The options that ask for a number of ticks, turns or iterations. */
export const COUNT_OPTIONS = ["max-ticks", "max-turns", "max-iterations", "max-iter"];
