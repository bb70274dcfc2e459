/** The commands to type now, the most urgent first. */
import type { NextStep } from "../text/canvas.ts";
import { renderRollbackSteps, renderStepsAfterAccept, renderUnblockSteps } from "../cards/next-steps.ts";
import { openSeriesSteps } from "../series/open-series-text.ts";
import { describeStateRepair } from "./state-troubles.ts";
import type { Status } from "../../contract/answers/status.ts";

export function renderStatusSteps(view: Status): readonly NextStep[] {
  if (view.running !== null) return [{ command: "relais status --watch", explains: "watch progress" }];
  const goOn = openSeriesSteps(view.openSeries, view.branch);
  const repairs = repairSteps(view, goOn);
  if (repairs.length > 0) return repairs;
  if (view.config.kind !== "usable") return configSteps(view.config.kind);
  if (view.question !== null && view.question.answer === null)
    return [{ command: 'relais answer "..."', explains: "answer the question" }, ...goOn];
  if (view.accepted !== null) return renderStepsAfterAccept(view.accepted.newFiles);
  if (view.preflight?.kind === "blocked") return renderUnblockSteps(view.preflight.code, view.preflight.cause);
  return [...firstLook(view), ...lookBack(view.lastTick), ...goOn, ...nextTick(view)];
}

function repairSteps(view: Status, goOn: readonly NextStep[]): readonly NextStep[] {
  if (view.unfinished !== null)
    return [{ command: "relais recover", explains: "restore the repository, save the work" }, ...goOn];
  const repair = describeStateRepair(view);
  if (repair !== null) return [repair];
  return view.notPutBack === null ? [] : renderRollbackSteps(view.notPutBack.runId);
}

/** Before the first tick the most can be missing: a commit, a clean tree, a program. */
function firstLook({ lastTick, preflight }: Status): readonly NextStep[] {
  if (lastTick !== null || preflight !== null) return [];
  return [{ command: "relais status --preflight", explains: "check whether a tick can start" }];
}

/** A single tick, unless a series can be continued. */
function nextTick({ planTrouble, openSeries }: Status): readonly NextStep[] {
  if (openSeries.length > 0) return [];
  return [{ command: planTrouble === null ? "relais run" : "relais run --task FILE", explains: "run one tick" }];
}

function configSteps(kind: "missing" | "unusable"): readonly NextStep[] {
  const help = { command: "relais --help", explains: "list all commands" };
  return kind === "missing"
    ? [{ command: "relais init", explains: "write a configuration" }, help]
    : [{ command: "relais doctor", explains: "find the problem and its fix" }, help];
}

function lookBack(last: Status["lastTick"]): readonly NextStep[] {
  if (last === null || last.verdict === "success" || last.code === "STOP_QUESTION") return [];
  const explains = last.verdict === "blocked" ? "why the last run was blocked" : "why the last run failed";
  return [{ command: `relais history show ${last.runId}`, explains }];
}
