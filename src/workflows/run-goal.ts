/** Starts or continues a goal. It can be refused only before anything is written. */
import { isAbsolute, resolve } from "node:path";
import { GOAL_LIMITS, type GoalSettings } from "../records/goal.ts";
import {
  findBaseProblem,
  chooseGoalSettings,
  type GoalNumbers,
  readNumber,
  findGoalChecksProblem,
} from "./pure/goal-settings.ts";
import { makeGoalWorkflow } from "./pure/goal-workflow.ts";
import { readBounded } from "../system/bounded-file.ts";
import { findCommit } from "../git/find-commit.ts";
import { refuseNotReady, type Refusal, refuse } from "../records/command-failure.ts";
import type { CommandContext, Workspace } from "../workspace/workspace.ts";
import { runSeries, type SeriesAnswer } from "./run-series.ts";
import { openSeriesWorkspace } from "../workspace/open-workspace.ts";
import type { SeriesRequest } from "./series-loop.ts";
import { findGoal, publishGoal, type RenderGoal } from "./find-goal.ts";
import { RESUMABLE_ENDS } from "./pure/last-series.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import { readDiffSince } from "./read-diff.ts";
import { runHandoff } from "../workspace/run-handoff.ts";
import { JOB_VARIABLE } from "../base/environment.ts";
import type { SeriesSummary } from "../records/series.ts";

export interface GoalSources extends CommandContext, Pick<SeriesRequest<unknown>, "watch" | "choices"> {
  readonly renderGoal: RenderGoal;
}

export interface NewGoal {
  readonly objective: string;
  readonly criteriaFile: string | null;
  readonly numbers: GoalNumbers;
  /** Reviewers compare with it; null is `origin/main`, or the first commit of the goal. */
  readonly base: string | null;
}

/** `reached`: there is nothing left to do. */
export type GoalAnswer = SeriesAnswer | Misuse | Refusal | { readonly kind: "reached" };

export async function beginGoal(sources: GoalSources, asked: NewGoal): Promise<GoalAnswer> {
  const workspace = await openSeriesWorkspace(sources);
  if (workspace.kind === "blocked") return workspace;
  const problem = findGoalChecksProblem(workspace.config);
  if (problem !== null) return refuseNotReady("goal_checks", problem, "Fix that in relais.config.json.");
  const goal = await readSettings(workspace, sources, asked);
  return "kind" in goal ? goal : runGoal(sources, goal, false);
}

async function readSettings(
  { config, repository, head }: Workspace,
  { cwd, signal }: GoalSources,
  { objective, criteriaFile, numbers, base }: NewGoal,
): Promise<GoalSettings | Misuse> {
  const choice = chooseGoalSettings(numbers, config);
  if (choice.kind === "refused") return reportMisuse(choice.message);
  const criteria = criteriaFile === null ? null : await readCriteria(criteriaFile, cwd);
  if (criteria !== null && typeof criteria !== "string") return criteria;
  const compared = await chooseBase(base, { repository, head }, signal);
  return typeof compared === "string"
    ? reportMisuse(compared)
    : { objective, criteria, ...choice.chosen, base: compared };
}

/** The base, or why it is refused. A missing `origin/main` is no mistake. */
async function chooseBase(
  base: string | null,
  { repository, head }: Pick<Workspace, "repository" | "head">,
  signal: AbortSignal,
): Promise<GoalSettings["base"] | string> {
  const unsafe = base === null ? null : findBaseProblem(base);
  if (unsafe !== null) return unsafe;
  const ref = base ?? "origin/main";
  const commit = await findCommit(ref, { repository, signal });
  if (commit !== null) return { ref, commit };
  return base === null ? { ref: "the beginning", commit: head.commit } : `--base: there is no commit "${base}" here`;
}

const CRITERIA_BYTES_MAX = 256 * 1024;

async function readCriteria(file: string, cwd: string): Promise<string | Misuse> {
  const read = await readBounded(isAbsolute(file) ? file : resolve(cwd, file), CRITERIA_BYTES_MAX);
  if (read.kind === "missing") return reportMisuse(`--criteria: the file ${file} does not exist`);
  if (read.kind === "refused") return reportMisuse(`--criteria: the file ${file} cannot be used: ${read.reason}`);
  const text = read.data.toString("utf8").trim();
  if (text === "") return reportMisuse(`--criteria: the file ${file} is empty`);
  if (text.length > GOAL_LIMITS.objectiveChars)
    return reportMisuse(`--criteria: the file ${file} has more than ${GOAL_LIMITS.objectiveChars} characters`);
  return text;
}

/** Continues the newest goal of this worktree; only the number of its turns can be changed. */
export async function resumeGoal(sources: GoalSources, maxTurns: string | null): Promise<GoalAnswer> {
  const found = await findGoal(sources, null);
  if (found.kind !== "goal") return found;
  const { settings, ledger, goalId, isReviewDue, lastEnd } = found;
  // A killed process has recorded no end, so the goal is run to record one.
  const isEnded = lastEnd !== null;
  if (ledger.status === "complete" && isEnded) return { kind: "reached" };
  const turns = readNumber(maxTurns, "--max-turns", [Math.max(1, ledger.turns), GOAL_LIMITS.maxTurns]);
  if (typeof turns === "string") return reportMisuse(turns);
  const goal = { ...settings, max_turns: turns ?? settings.max_turns };
  if (ledger.turns >= goal.max_turns && !isReviewDue && isEnded)
    return refuse({
      cause: "goal_max_turns",
      message: `The goal ${goalId} has used all its turns (${ledger.turns} of ${goal.max_turns}).`,
      next: "Allow more with `relais goal resume --max-turns N`.",
    });
  return runGoal(sources, goal, true);
}

async function runGoal(
  { renderGoal, ...sources }: GoalSources,
  goal: GoalSettings,
  isResumed: boolean,
): Promise<SeriesAnswer> {
  const workspace = await openSeriesWorkspace(sources);
  if (workspace.kind === "blocked") return workspace;
  let diff = await readDiffSince(workspace.repository, goal.base.commit);
  const answer = await runSeries({
    ...sources,
    options: { command: "goal", mode: null, max_ticks: null, goal },
    isNew: !isResumed,
    mustResume: isResumed,
    resumes: RESUMABLE_ENDS,
    workflow: (known) => makeGoalWorkflow({ ...known, diff }),
    publish: async (now, series) => {
      diff = await readDiffSince(now.repository, goal.base.commit);
      return publishGoal(now, series, renderGoal);
    },
  });
  if (answer.kind === "series") await handOver(sources, goal, workspace, answer.summary);
  return answer;
}

/** The worker of a job hands its goal over itself. */
async function handOver(
  sources: Omit<GoalSources, "renderGoal">,
  goal: GoalSettings /** As it was before the goal. */,
  workspace: Workspace,
  summary: SeriesSummary,
) {
  const { environment, signal, watch } = sources;
  if (environment[JOB_VARIABLE] !== undefined) return;
  const { config, repository, head } = workspace;
  const warning = await runHandoff(
    { config, cwd: repository.root, environment, signal },
    {
      version: 1,
      kind: "goal_ended",
      at: summary.ended_at,
      id: summary.series_id,
      repository: repository.root,
      title: goal.objective,
      outcome: summary.end === "complete" ? "done" : "failed",
      code: summary.last_code,
      summary: summary.message,
      base: {
        commit: goal.base.commit,
        branch: /^ref: refs\/heads\/(?<name>.+)$/su.exec(head.text)?.groups?.["name"] ?? null,
      },
      branch: summary.branch,
      commit: summary.commits.at(-1) ?? null,
    },
  );
  if (warning !== null) watch.warned(warning);
}
