/** The cards of `accept`, `undo`, `salvage apply` and `answer`. */
import { countNoun } from "../base/count-noun.ts";
import type { AcceptedChange, AnsweredQuestion, AppliedWork, UndoneChange } from "../records/decisions.ts";
import { type Canvas, type Fact, GOOD, makeStep, type NextStep } from "../base/canvas.ts";
import { renderCard } from "./card.ts";
import { neutralise } from "../base/neutralise.ts";
import { listOpenSeriesSteps } from "./open-series-text.ts";
import { joinLines } from "./report-words.ts";

const CHECK_TREE = makeStep("git status", "check the working tree");

export function renderAccepted(view: AcceptedChange, canvas: Canvas): string {
  const { runId, commit, branch, isNewBranch, files, notes } = view;
  const id = commit.slice(0, 12);
  const why = isNewBranch ? ", a new branch, because the current one is protected" : "";
  const facts: readonly Fact[] = [
    ["branch", `${neutralise(branch)}${why}`],
    ["change", `${countNoun(files, "file")} of ${runId}`],
    ...notes.map((note): Fact => ["note", neutralise(note)]),
  ];
  const next = [makeStep(`git show ${id}`, "show the commit"), makeStep("relais undo", "remove the commit again")];
  return renderCard({ ...GOOD, title: `Committed ${id}`, facts, next }, canvas);
}

export function renderUndone(view: UndoneChange, canvas: Canvas): string {
  const { runId, commit, beganOn, paths, besides, notBack } = view;
  const branch = neutralise(view.branch ?? "");
  const before = beganOn === null ? null : neutralise(beganOn);
  const facts: readonly Fact[] = [
    ["change", `${countNoun(paths.length, "file")} of ${runId}`],
    ["also", besides.length === 0 ? null : countNoun(besides.length, "uncommitted file")],
    ...notBack.map((path): Fact => ["not undone", neutralise(path)]),
    ["commit", commit && `${commit.slice(0, 12)} removed from ${branch}`],
    ["branch", before && `you are on ${branch}, created by relais; the tick started on ${before}`],
  ];
  const next = [...(before === null ? [] : leaveBranch(branch, before)), CHECK_TREE];
  return renderCard({ ...GOOD, title: "Undone", facts, next }, canvas);
}

function leaveBranch(branch: string, before: string): readonly NextStep[] {
  return [
    makeStep(`git switch ${before}`, "return to your branch"),
    makeStep(`git branch -d ${branch}`, "delete the empty branch"),
  ];
}

export function renderApplied({ runId, paths, leftOut }: AppliedWork, canvas: Canvas): string {
  const without = leftOut === 0 ? "" : `; ${leftOut} not saved`;
  const title = "Restored to the working tree, uncommitted and unchecked";
  const facts: readonly Fact[] = [["change", `${countNoun(paths.length, "file")} of ${runId}${without}`]];
  const next = [makeStep("git diff", "show the change"), makeStep("relais judge", "check it against the rules")];
  return renderCard({ ...GOOD, title, facts, next }, canvas);
}

export function renderAnswered(view: AnsweredQuestion, canvas: Canvas): string {
  const { runId, question, answer, choice, series, branch } = view;
  const chosen = choice === null ? "" : ` (choice ${choice})`;
  const title = answer === null ? "Dropped" : "Answered";
  const facts: readonly Fact[] = [
    ["question", `${joinLines(question)} (${runId})`],
    ["answer", answer && `${joinLines(answer)}${chosen}`],
  ];
  const run = makeStep("relais run", answer === null ? "run one tick" : "run one tick with this answer");
  const next = series.length === 0 ? [run] : listOpenSeriesSteps(series, branch);
  return renderCard({ ...GOOD, title, facts, next }, canvas);
}
