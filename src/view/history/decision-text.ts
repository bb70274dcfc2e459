/** The cards of `accept`, `undo`, `salvage apply` and `answer`. */
import { countNoun } from "../../core/words/count-noun.ts";
import type { AcceptedChange, AnsweredQuestion, AppliedWork, UndoneChange } from "../../contract/answers/decisions.ts";
import { type Canvas, renderLabelled, type NextStep } from "../text/canvas.ts";
import { renderCard } from "../cards/card.ts";
import { neutralise } from "../text/neutralise.ts";
import { openSeriesSteps } from "../series/open-series-text.ts";
import { joinLines } from "../cards/report-words.ts";

export function renderAccepted(view: AcceptedChange, canvas: Canvas): string {
  const { runId, commit, branch, isNewBranch, files, notes } = view;
  const id = commit.slice(0, 12);
  const why = isNewBranch ? ", a new branch, because the current one is protected" : "";
  return text(canvas, {
    headline: `Committed ${id}`,
    lines: [
      ...renderLabelled("branch", `${neutralise(branch)}${why}`, canvas),
      ...renderLabelled("change", `${countNoun(files, "file")} of ${runId}`, canvas),
      ...notes.flatMap((note) => renderLabelled("note", neutralise(note), canvas)),
    ],
    next: [
      { command: `git show ${id}`, explains: "show the commit" },
      { command: "relais undo", explains: "remove the commit again" },
    ],
  });
}

export function renderUndone(view: UndoneChange, canvas: Canvas): string {
  const { runId, commit, branch, beganOn, paths, besides, notBack } = view;
  const from = commit === null ? "" : `${commit.slice(0, 12)} removed from ${neutralise(branch ?? "")}`;
  return text(canvas, {
    headline: "Undone",
    lines: [
      ...renderLabelled("change", `${countNoun(paths.length, "file")} of ${runId}`, canvas),
      ...(besides.length === 0 ? [] : renderLabelled("besides", countNoun(besides.length, "uncommitted file"), canvas)),
      ...notBack.map((path) => renderLabelled("not undone", neutralise(path), canvas)).flat(),
      ...(from === "" ? [] : renderLabelled("commit", from, canvas)),
      ...(beganOn === null ? [] : renderLabelled("branch", stillThere(branch ?? "", beganOn), canvas)),
    ],
    next: [
      ...(beganOn === null ? [] : wayBack(branch ?? "", beganOn)),
      { command: "git status", explains: "check the working tree" },
    ],
  });
}

function stillThere(branch: string, beganOn: string): string {
  return `you are on ${neutralise(branch)}, created by relais; the tick started on ${neutralise(beganOn)}`;
}

function wayBack(branch: string, beganOn: string): readonly NextStep[] {
  return [
    { command: `git switch ${neutralise(beganOn)}`, explains: "return to your branch" },
    {
      command: `git branch -d ${neutralise(branch)}`,
      explains: "delete the empty branch",
    },
  ];
}

export function renderApplied({ runId, paths, leftOut }: AppliedWork, canvas: Canvas): string {
  const without = leftOut === 0 ? "" : `; ${leftOut} not saved`;
  return text(canvas, {
    headline: "Restored to the working tree, uncommitted and unchecked",
    lines: renderLabelled("change", `${countNoun(paths.length, "file")} of ${runId}${without}`, canvas),
    next: [
      { command: "git diff", explains: "show the change" },
      { command: "relais judge", explains: "check it against the rules" },
    ],
  });
}

export function renderAnswered(view: AnsweredQuestion, canvas: Canvas): string {
  const { runId, question, answer, choice, series, branch } = view;
  const chosen = choice === null ? "" : ` (choice ${choice})`;
  return text(canvas, {
    headline: answer === null ? "Dropped" : "Answered",
    lines: [
      ...renderLabelled("question", `${joinLines(question)} (${runId})`, canvas),
      ...(answer === null ? [] : renderLabelled("answer", `${joinLines(answer)}${chosen}`, canvas)),
    ],
    next:
      series.length === 0
        ? [
            {
              command: "relais run",
              explains: answer === null ? "run one tick" : "run one tick with this answer",
            },
          ]
        : openSeriesSteps(series, branch),
  });
}

interface Parts {
  readonly headline: string;
  readonly lines: readonly string[];
  readonly next: readonly NextStep[];
}

function text(canvas: Canvas, { headline, lines, next }: Parts): string {
  const shape = { mark: "✓", tone: "good", word: null, why: [], advice: null } as const;
  return renderCard({ ...shape, title: headline, facts: lines, next }, canvas);
}
