/** What came of a decision about what a tick left: work committed, taken back, or brought back, and a question answered. */
import { counted } from "../../core/words/counted.ts";
import type {
  AcceptedChange,
  AnsweredQuestion,
  AppliedWork,
  UndoneChange,
} from "../../contract/answers/decisions.ts";
import { type Canvas, labelled, type NextStep } from "../text/canvas.ts";
import { cardText } from "../cards/card.ts";
import { neutralise } from "../text/neutralise.ts";
import { openSeriesSteps } from "../series/open-series-text.ts";
import { oneLine } from "../cards/report-words.ts";

export function acceptedText(view: AcceptedChange, canvas: Canvas): string {
  const { runId, commit, branch, isNewBranch, files, notes } = view;
  const id = commit.slice(0, 12);
  const why = isNewBranch ? ", a new branch, because the one before is protected" : "";
  return text(canvas, {
    headline: `committed ${id}`,
    lines: [
      ...labelled("branch", `${neutralise(branch)}${why}`, canvas),
      ...labelled("change", `${counted(files, "file")} of ${runId}`, canvas),
      ...notes.flatMap((note) => labelled("note", neutralise(note), canvas)),
    ],
    next: [
      { command: `git show ${id}`, explains: "the commit" },
      { command: "relais undo", explains: "take it back while it is the last one" },
    ],
  });
}

export function undoneText(view: UndoneChange, canvas: Canvas): string {
  const { runId, commit, branch, beganOn, paths, besides, notBack } = view;
  const from = commit === null ? "" : `${commit.slice(0, 12)} is gone from ${neutralise(branch ?? "")}`;
  return text(canvas, {
    headline: "taken back",
    lines: [
      ...labelled("change", `${counted(paths.length, "file")} of ${runId}`, canvas),
      ...(besides.length === 0
        ? []
        : labelled("besides", `${counted(besides.length, "file")} that no commit holds`, canvas)),
      ...notBack.map((path) => labelled("not back", neutralise(path), canvas)).flat(),
      ...(from === "" ? [] : labelled("commit", from, canvas)),
      ...(beganOn === null ? [] : labelled("branch", stillThere(branch ?? "", beganOn), canvas)),
    ],
    next: [
      ...(beganOn === null ? [] : wayBack(branch ?? "", beganOn)),
      { command: "git status", explains: "what the working tree holds now" },
    ],
  });
}

function stillThere(branch: string, beganOn: string): string {
  return `you are still on ${neutralise(branch)}, which relais made; the tick began on ${neutralise(beganOn)}`;
}

function wayBack(branch: string, beganOn: string): readonly NextStep[] {
  return [
    { command: `git switch ${neutralise(beganOn)}`, explains: "go back" },
    {
      command: `git branch -d ${neutralise(branch)}`,
      explains: "then remove the branch, which holds nothing now",
    },
  ];
}

export function appliedText({ runId, paths, leftOut }: AppliedWork, canvas: Canvas): string {
  const without = leftOut === 0 ? "" : `; ${leftOut} could not or must not be kept`;
  return text(canvas, {
    headline: "back in the working tree, uncommitted and unjudged",
    lines: labelled("change", `${counted(paths.length, "file")} of ${runId}${without}`, canvas),
    next: [
      { command: "git diff", explains: "what changed" },
      { command: "relais judge", explains: "hold it against the rules" },
    ],
  });
}

export function answeredText(view: AnsweredQuestion, canvas: Canvas): string {
  const { runId, question, answer, choice, series, branch } = view;
  const chosen = choice === null ? "" : ` (choice ${choice})`;
  return text(canvas, {
    headline: "answered",
    lines: [
      ...labelled("question", `${oneLine(question)} (${runId})`, canvas),
      ...labelled("answer", `${oneLine(answer)}${chosen}`, canvas),
    ],
    next:
      series.length === 0
        ? [{ command: "relais run", explains: "one tick; its orchestrator is told" }]
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
  return cardText({ ...shape, title: headline, facts: lines, next }, canvas);
}
