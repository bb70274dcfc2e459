import type { Config } from "../../config/config.ts";
import { type GoalSettings, GOAL_LIMITS, GoalReceipt } from "../../records/goal.ts";
import { InvariantError } from "../../base/errors.ts";
import { parseWith } from "../../base/schema-error.ts";
import type { SeriesOptions } from "../../records/series.ts";
import type { Task } from "../../records/task.ts";
import { extractAnswer } from "../../base/strict-json.ts";
import { makeChosenChecks } from "../../checks/pure/verification-plan.ts";
import type { ReviewPlan } from "../../checks/pure/review-plan.ts";
import { decideAfterTick, endSeries, withoutBreakers } from "./after-tick.ts";
import { shorten, takeTitle } from "../../base/words.ts";
import { readConfiguredMode } from "../../tick/pure/task-admission.ts";
import {
  type BuilderBrief,
  checkBaseOnly,
  makeCeiling,
  type NextWork,
  NO_CHECKS,
  type Work,
  type Workflow,
} from "./workflow.ts";
import { foldGoal } from "./fold-goal.ts";
import { listGoalChecks } from "./goal-settings.ts";
import { locateGoalFolder, summariseReceipt, nameGoalStage } from "./goal-ledger.ts";
import { makeGoalReviewer, composeGoalReviewPrompt, composeGoalPrompt } from "./goal-prompts.ts";
import { describeRemainingWork } from "./goal-reducer.ts";
import { type GoalState, NEW_GOAL } from "./goal-state.ts";
import { readGoalVerdict, readGoalDecision, reviewRecord } from "./read-goal-decision.ts";

interface GoalCircumstances {
  readonly config: Config;
  readonly options: SeriesOptions;
  readonly warnings: readonly string[];
  readonly seriesId: string;
  readonly diff: string;
}

export function makeGoalWorkflow({ options, warnings, ...rest }: GoalCircumstances): Workflow<GoalState> {
  const { config, seriesId } = rest;
  const settings = options.goal;
  if (settings === undefined) throw new InvariantError("a goal without an objective");
  const loop = withoutBreakers(config.loop);
  const known = { ...rest, settings, folder: locateGoalFolder(config.workspace_dir, seriesId) };
  return {
    name: "goal",
    start: NEW_GOAL,
    reduce: foldGoal,
    next: (state) => {
      if (state.status !== "active") return endWorkflow(state);
      const step = decideAfterTick(state.series.ticks, { loop, maxTicks: null, warnings });
      if (step.kind !== "go_on") return step;
      if (state.isReviewDue) return { kind: "work", work: planReviewTick(state, known) };
      return state.turns >= settings.max_turns
        ? endWithoutTurns(settings)
        : { kind: "work", work: planWorkerTick(state, known) };
    },
  };
}

const RESUME = "See `relais goal report`, fix the problem, and continue with `relais goal resume`.";

function endWorkflow({ status, decisions, reviews }: GoalState): NextWork {
  const message = decisions.at(-1)?.reason ?? describeRemainingWork(reviews);
  if (status === "complete") return endSeries("complete", { reason: "goal_complete", message });
  if (status === "blocked")
    return { ...endSeries("blocked", { reason: "goal_blocked", message, hint: RESUME }), exit: 14 };
  return endSeries("needs_human", { reason: "goal_needs_human", message, hint: RESUME });
}

function endWithoutTurns({ max_turns }: GoalSettings): NextWork {
  return endSeries("needs_human", {
    reason: "goal_max_turns",
    message: `The turns are used up (${max_turns}).`,
    hint: "`relais goal resume --max-turns N` gives it more.",
  });
}

interface GoalFacts extends Pick<GoalCircumstances, "config" | "seriesId" | "diff"> {
  readonly settings: GoalSettings;
  readonly folder: string;
}

const INSTRUCTIONS_CHARS = 3500;
const INTENT_CHARS = 200;

function makeTaskParts({ config: { goal }, settings, seriesId }: GoalFacts) {
  return {
    milestone_id: shorten(`goal-${seriesId}`, 80),
    intent: shorten(summariseReceipt(takeTitle(settings.objective)), INTENT_CHARS),
    scope: goal.scope,
    diff_limits: goal.diff_limits,
  };
}

function makeSharedWork({ config: { goal } }: GoalFacts) {
  return {
    ceiling: makeCeiling(goal.diff_limits),
    checks: NO_CHECKS,
  };
}

function planWorkerTick(state: GoalState, known: GoalFacts): Work {
  const { config, settings, folder } = known;
  const objective = shorten(settings.objective, INSTRUCTIONS_CHARS);
  const mode = readConfiguredMode(config);
  const task: Task = {
    task_id: nameGoalStage(state.turns + 1),
    task_kind: "execute",
    ...makeTaskParts(known),
    verification: { fast: [], slow: [] },
    builder: {
      mode: mode === "patch" ? "scripted" : mode,
      instructions: `Work toward this goal, as the prompt says:\n\n${objective}`,
    },
  };
  return {
    ...makeSharedWork(known),
    task,
    brief: makeBrief(composeGoalPrompt({ settings, state, folder })),
    checks: state.turns === 0 ? checkBaseOnly(makeChosenChecks(config, listGoalChecks(config))) : NO_CHECKS,
    review: null,
    leadsTo: { checks: listGoalChecks(config).length > 0, review: true },
    settle: { onSuccess: "commit", onFailure: "rollback" },
    finished: state.finished,
    continues: () => state.unfinished,
  };
}

function makeBrief(prompt: string): BuilderBrief {
  return {
    prompt,
    files: {},
    proposals: {},
    schema: "goal_receipt",
    read: ({ result }) => {
      const extracted = extractAnswer(result);
      const parsed = extracted.kind === "refused" ? null : parseWith(GoalReceipt, extracted.value);
      // An answer in plain Markdown is a receipt too.
      const text = parsed?.kind === "valid" ? parsed.value.receipt : decodeReceipt(result);
      const receipt = shorten(text.trim(), GOAL_LIMITS.receiptChars);
      if (receipt === "") return { kind: "invalid", cause: "receipt_empty", message: "The receipt is empty." };
      return { kind: "valid", summary: summariseReceipt(receipt), data: { receipt } };
    },
  };
}

function decodeReceipt(data: Uint8Array): string {
  return new TextDecoder().decode(data).replaceAll("\0", "");
}

/** Checks and reviewers look at the checkpoint; nothing changes. */
function planReviewTick(state: GoalState, known: GoalFacts): Work {
  const { config } = known;
  const task: Task = {
    task_id: `review-turn-${state.turns}`,
    task_kind: "verify_only",
    ...makeTaskParts(known),
    intent: shorten(`Review: ${summariseReceipt(takeTitle(known.settings.objective))}`, INTENT_CHARS),
    verification: { fast: [], slow: [...listGoalChecks(config)] },
  };
  return {
    ...makeSharedWork(known),
    task,
    brief: makeBrief(""),
    review: planGoalReview(state, known),
    settle: { onSuccess: "commit", onFailure: "rollback" },
  };
}

function planGoalReview(state: GoalState, { settings, folder, diff }: GoalFacts): ReviewPlan {
  const [first, ...others] = settings.reviewers.map(makeGoalReviewer);
  if (first === undefined) throw new InvariantError("a goal without reviewers");
  return {
    role: "reviewer",
    reviewers: [first, ...others],
    quorum: settings.review_quorum,
    ofVerifyOnly: true,
    schema: "goal_decision",
    read: readGoalDecision,
    verdict: (reviews) => readGoalVerdict(reviews, settings.review_quorum),
    prompt: (reviewer, reviewed) => composeGoalReviewPrompt({ settings, state, folder, diff }, reviewer, reviewed),
    evidenceOf: (review) => reviewRecord(1, review).evidence,
    known: state.known,
  };
}
