/** The commands to type now, the most urgent first. */
import { makeStep, type NextStep } from "../base/canvas.ts";
import { ANSWER, RECOVER, renderRollbackSteps, renderStepsAfterAccept, renderUnblockSteps } from "./next-steps.ts";
import { listOpenSeriesSteps } from "./open-series-text.ts";
import { describeStateRepair } from "./state-troubles.ts";
import type { Status } from "../records/status.ts";

const SENTENCE = makeStep('relais run "say what to change"', "run one tick; the sentence is the task");

export function renderStatusSteps(view: Status): readonly NextStep[] {
  if (view.running !== null) return listRunningSteps(view.running);
  const resume = listOpenSeriesSteps(view.openSeries, view.branch);
  const repairs = listRepairs(view, resume);
  if (repairs.length > 0) return repairs;
  if (view.config.kind === "unusable") return UNUSABLE;
  if (view.question !== null && view.question.answer === null) return [ANSWER, ...resume];
  if (view.accepted !== null) return renderStepsAfterAccept();
  if (view.preflight?.kind === "blocked") return renderUnblockSteps(view.preflight.code, view.preflight.cause);
  return [...listFirstSteps(view), ...lookBack(view.lastTick), ...resume, ...listTickSteps(view)];
}

function listRunningSteps({ runId, asksUntil = null }: NonNullable<Status["running"]>): readonly NextStep[] {
  const watch = makeStep("relais status --watch", "watch progress");
  if (asksUntil === null) return [watch];
  return [
    makeStep("git diff", "show the change"),
    makeStep(`relais accept ${runId}`, "keep it"),
    makeStep(`relais reject ${runId} --reason "..."`, "revert it, and say why"),
  ];
}

function listRepairs(view: Status, resume: readonly NextStep[]): readonly NextStep[] {
  if (view.unfinished !== null) return [RECOVER, ...resume];
  const repair = describeStateRepair(view);
  if (repair !== null) return [repair];
  return view.notPutBack === null ? [] : renderRollbackSteps(view.notPutBack.runId);
}

/** Before the first tick the most can be missing: a commit, a clean tree, a program. */
function listFirstSteps({ lastTick, preflight }: Status): readonly NextStep[] {
  if (lastTick !== null || preflight !== null) return [];
  return [makeStep("relais status --preflight", "check whether a tick can start")];
}

/** A single tick, unless a series can be continued. */
function listTickSteps({ planTrouble, openSeries }: Status): readonly NextStep[] {
  if (openSeries.length > 0) return [];
  return [planTrouble === null ? makeStep("relais run", "plan and run one tick") : SENTENCE];
}

const UNUSABLE = [
  makeStep("relais doctor", "find the problem and its fix"),
  makeStep("relais --help", "list all commands"),
];

function lookBack(last: Status["lastTick"]): readonly NextStep[] {
  if (last === null || last.verdict === "success" || last.code === "STOP_QUESTION" || last.turn != null) return [];
  const explains = last.verdict === "blocked" ? "why the last run was blocked" : "why the last run failed";
  return [makeStep(`relais history show ${last.runId}`, explains)];
}
