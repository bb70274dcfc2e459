import type { Choices } from "../../config/choices.ts";
import type { Config } from "../../config/config.ts";
import type { SeriesOptions } from "../../records/series.ts";
import type { Task } from "../../records/task.ts";
import { RELAY_TURNS } from "../../config/roles.ts";
import { makeChosenChecks } from "../../checks/pure/verification-plan.ts";
import { findConfiguredReview } from "../../checks/pure/review-plan.ts";
import { decideAfterTick, endSeries, MILESTONE_CHANGED, findOtherMilestone } from "./after-tick.ts";
import { findRepeatedTask, fingerprintTask } from "./breakers.ts";
import { isCutShort } from "./cut-short.ts";
import type { UnfinishedWork } from "./left-work.ts";
import { COULD_NOT_LAND, type Round, type RoundTask } from "./round.ts";
import { foldSeries, NO_TICKS, type SeriesTick, type SeriesTicks } from "./series-tick.ts";
import {
  type NextWork,
  NO_CHECKS,
  type OwnChecks,
  TASK_ONLY,
  type TaskRefusal,
  type Work,
  type Workflow,
} from "./workflow.ts";

export interface LoopCircumstances {
  readonly config: Config;
  readonly options: SeriesOptions;
  /** Counters near their caps; none once a cap is reached, which blocks the next tick. */
  readonly warnings: readonly string[];
}

/**
 * The relay of `relais loop`: the orchestrator proposes one task after the other, and each passing change is committed.
 */
export function makeRelayLoop({ config, options, warnings }: LoopCircumstances): Workflow<SeriesTicks> {
  const bounds = { loop: config.loop, maxTicks: options.max_ticks, warnings };
  return {
    name: "relay",
    start: NO_TICKS,
    reduce: foldSeries,
    next: ({ ticks, round = null }) => {
      const [first] = round?.waiting ?? [];
      if (first !== undefined && !mustStop(ticks.at(-1), first)) return workOn(first, makeBase({ config, options }));
      if (first === undefined && round !== null) return endUnlanded(round);
      const step = decideAfterTick(ticks, bounds);
      return step.kind === "go_on" ? { kind: "work", work: makeWork(ticks, { config, options }) } : step;
    },
  };
}

/** A round that has begun goes on whatever failed in it. Work that is done needs no service. */
function mustStop(last: SeriesTick | undefined, { made }: RoundTask): boolean {
  if (last === undefined || last.isPassed === true || !isCutShort(last)) return false;
  return last.code !== "STOP_RATE_LIMITED" || made?.verdict !== "success";
}

/** The task is known: it lands, or its own tick does the work. */
function workOn({ task, made }: RoundTask, work: Work): NextWork {
  if (made === null) return { kind: "work", work: { ...work, task } };
  return { kind: "work", work: { ...work, task, review: null, isOwnPatch: true }, lands: made };
}

function endUnlanded({ unlanded }: Round): NextWork {
  const hint = "Its work is in `relais salvage`; the same command continues the series without it.";
  return endSeries("needs_human", { reason: COULD_NOT_LAND, message: unlanded.join(" "), hint });
}

function makeWork(ticks: readonly SeriesTick[], known: KnownLoop): Work {
  const { config, options } = known;
  const tasksMax = countTasks(ticks, options);
  return {
    ...makeBase(known),
    // The time of a tick for all of them side by side, and once more to plan and to land.
    ...(tasksMax > 1 ? { tasksMax, maxSeconds: 2 * config.runner.max_tick_seconds } : {}),
    admit: (task) => findTaskRefusal(task, ticks, known),
    continues: (task) =>
      findUnfinished(
        task,
        ticks.findLast(({ isCounted }) => isCounted),
      ),
  };
}

type KnownLoop = Omit<LoopCircumstances, "warnings">;

function makeBase({ config, options }: KnownLoop): Work {
  return {
    task: null,
    ceiling: config.diff_limits,
    brief: TASK_ONLY,
    checks: requireChecks(config),
    ...(options.choices?.new_files === false ? { forbidsNewFiles: true } : {}),
    review: findConfiguredReview(config.review),
    changeRequired: true,
    ceilingOfScope: "enforced",
    settle: { onSuccess: "commit", onFailure: "rollback" },
    usualTurns: RELAY_TURNS,
    ...(options.mode === "autonomous" ? { mayOpenMilestone: true } : {}),
  };
}

/** Each task of an answer is a tick. */
function countTasks(ticks: readonly SeriesTick[], { parallel = 1, max_ticks: max }: SeriesOptions): number {
  const done = ticks.filter(({ isCounted }) => isCounted).length;
  return max === null ? parallel : Math.min(parallel, max - done);
}

/** Those of the configuration, or those that a person named: each must pass, whether or not a plan asks for it. */
function requireChecks(config: Config): OwnChecks {
  const known = makeChosenChecks(config, config.verification.required ?? []);
  if (known.length === 0) return NO_CHECKS;
  return {
    max: known.length,
    known,
    base: known,
    choose: ({ task: { verification } }) => {
      const planned = [...(verification?.fast ?? []), ...(verification?.slow ?? [])];
      return known.filter(({ templateId }) => !planned.includes(templateId));
    },
  };
}

/** The same task comes again after a limit ended its session. */
function findUnfinished(task: Task, last: SeriesTick | undefined): UnfinishedWork | null {
  const isSame = last !== undefined && last.task !== null && fingerprintTask(last.task) === fingerprintTask(task);
  return (isSame ? last.unfinished : null) ?? null;
}

/** It belongs to another milestone, or it has failed before. */
function findTaskRefusal(task: Task, ticks: readonly SeriesTick[], { config, options }: KnownLoop): TaskRefusal | null {
  const milestone = options.mode === "milestone" ? findOtherMilestone(ticks, task) : null;
  if (milestone !== null) {
    const message = `The next task belongs to the milestone ${task.milestone_id}, and this series works on ${milestone}.`;
    return { code: "STOP_INTERRUPTED", cause: MILESTONE_CHANGED, message };
  }
  const repeated = findRepeatedTask(ticks, task, config.loop.breakers);
  return repeated && { code: "STOP_BREAKER", cause: repeated.breaker, message: repeated.message };
}

interface RelayChoices {
  /** Of the command line. */
  readonly choices?: Choices;
  /** Whether an orchestrator wrote the task, here or elsewhere. */
  readonly isPlanned?: boolean;
  /** Whether a person chose the checks of the task, and may leave some out; absent is yes. */
  readonly isOfPerson?: boolean;
}

/**
 * The relay of a single task, given or proposed: one tick, and then the series is over. A passing change waits for the
 * person's decision, unless the configuration commits every change.
 */
export function makeRelay(
  task: Task | null,
  config: Config,
  { choices = {}, isPlanned = task === null, isOfPerson = true }: RelayChoices = {},
): Workflow<{ readonly isOver: boolean }> {
  const work: Work = {
    task,
    fixes: choices.fixes,
    ceiling: config.diff_limits,
    brief: TASK_ONLY,
    // A person's task has its own.
    checks: isPlanned || !isOfPerson ? requireChecks(config) : NO_CHECKS,
    ...(isPlanned && choices.new_files === false ? { forbidsNewFiles: true } : {}),
    review: findConfiguredReview(config.review),
    changeRequired: true,
    ceilingOfScope: isPlanned ? "enforced" : "told",
    settle: { onSuccess: chooseSettling(config), onFailure: "rollback" },
    usualTurns: RELAY_TURNS,
  };
  return {
    name: "relay",
    start: { isOver: false },
    reduce: (state, { event }) => (event.type === "tick_ended" ? { isOver: true } : state),
    next: ({ isOver }) => (isOver ? { kind: "end", end: "complete" } : { kind: "work", work }),
  };
}

/** A person who was asked has decided, so that the change need not wait for `relais accept`. */
function chooseSettling({ git, settle }: Config): "accept" | "commit" {
  return git.commit === "always" || (settle === "ask" && git.commit !== "never") ? "commit" : "accept";
}
