import type { Config } from "../../contract/config/config.ts";
import type { SeriesOptions } from "../../contract/journal/series.ts";
import type { Task } from "../../contract/documents/task.ts";
import { RELAY_TURNS } from "../../contract/config/roles.ts";
import { findConfiguredReview } from "../review/configured-review.ts";
import { decideAfterTick } from "../series/after-tick.ts";
import { findRepeatedTask } from "../series/breakers.ts";
import { MILESTONE_CHANGED, findOtherMilestone } from "../series/other-milestone.ts";
import type { UnfinishedWork } from "../series/left-work.ts";
import { foldSeries, NO_TICKS, type SeriesTick, type SeriesTicks } from "../series/series-tick.ts";
import { fingerprintTask } from "../series/task-fingerprint.ts";
import { TASK_ONLY } from "./builder-brief.ts";
import type { TaskRefusal, Work, Workflow } from "./workflow.ts";

/** What is known when the next tick is to be chosen. */
export interface LoopCircumstances {
  readonly config: Config;
  readonly options: SeriesOptions;
  /** The counters that have come near their caps; none once a cap is reached, which blocks the next tick. */
  readonly warnings: readonly string[];
}

/**
 * The relay of `relais loop`: one task after the other, each proposed by the orchestrator and committed where it is
 * green, until something says that it is over.
 */
export function makeRelayLoop({ config, options, warnings }: LoopCircumstances): Workflow<SeriesTicks> {
  const bounds = { loop: config.loop, maxTicks: options.max_ticks, warnings };
  return {
    name: "relay",
    start: NO_TICKS,
    reduce: foldSeries,
    next: ({ ticks }) => {
      const step = decideAfterTick(ticks, bounds);
      return step.kind === "go_on" ? { kind: "work", work: workOf(ticks, { config, options }) } : step;
    },
  };
}

function workOf(ticks: readonly SeriesTick[], known: Omit<LoopCircumstances, "warnings">): Work {
  const { config } = known;
  return {
    task: null,
    ceiling: config.diff_limits,
    brief: TASK_ONLY,
    checks: { max: 0, known: [], choose: () => [] },
    review: findConfiguredReview(config.review),
    changeRequired: true,
    ceilingOfScope: "enforced",
    settle: { onSuccess: "commit", onFailure: "rollback" },
    admit: (task) => refusalOf(task, ticks, known),
    continues: (task) =>
      unfinishedOf(
        task,
        ticks.findLast(({ isCounted }) => isCounted),
      ),
    usualTurns: RELAY_TURNS,
  };
}

/** The work of the tick before, where the same task comes again after a limit ended its session. */
function unfinishedOf(task: Task, last: SeriesTick | undefined): UnfinishedWork | null {
  const isSame = last !== undefined && last.task !== null && fingerprintTask(last.task) === fingerprintTask(task);
  return (isSame ? last.unfinished : null) ?? null;
}

/** What the series knows against a task: it belongs to another milestone, or it has failed before. */
function refusalOf(
  task: Task,
  ticks: readonly SeriesTick[],
  { config, options }: Omit<LoopCircumstances, "warnings">,
): TaskRefusal | null {
  const milestone = options.mode === "milestone" ? findOtherMilestone(ticks, task) : null;
  if (milestone !== null) {
    const message = `The next task belongs to the milestone ${task.milestone_id}, and this series works on ${milestone}.`;
    return { code: "STOP_INTERRUPTED", cause: MILESTONE_CHANGED, message };
  }
  const repeated = findRepeatedTask(ticks, task, config.loop.breakers);
  return repeated && { code: "STOP_BREAKER", cause: repeated.breaker, message: repeated.message };
}
