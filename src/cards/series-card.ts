/** The card at the end of a series: how it ended and why, what it has done, and what to type next. */
import { isCode, type SeriesEnd } from "../base/codes.ts";
import { unreachable } from "../base/errors.ts";
import type { SeriesSummary } from "../records/series.ts";
import { shorten } from "../base/words.ts";
import {
  BAD,
  type Canvas,
  GOOD,
  makeStep as step,
  type NextStep,
  PENDING,
  QUESTION,
  renderQuotation,
  type Sign,
  WARNING,
} from "../base/canvas.ts";
import { renderCard } from "./card.ts";
import { neutralise } from "../base/style.ts";
import { findCauseByRemedy } from "../tick/pure/cause-words.ts";
import { ANSWER, BUDGET, DOCTOR, explainCode, renderUnblockSteps } from "./next-steps.ts";
import { COULD_NOT_LAND } from "../workflows/pure/round.ts";
import { writeQuestion } from "./report-words.ts";
import { renderAnotherSeriesCommand, renderSeriesCommand } from "./open-series-text.ts";
import { listSeriesFacts } from "./series-text.ts";

const HEADLINES: Readonly<Record<SeriesEnd, Sign & { readonly title: string }>> = {
  complete: { ...GOOD, title: "Complete." },
  max_ticks: { ...GOOD, title: "Done: reached --max-ticks." },
  milestone_changed: { ...GOOD, title: "Done: the next task belongs to another milestone." },
  stopped: { ...BAD, title: "Stopped: a tick failed." },
  breaker: { ...BAD, title: "Stopped: no progress." },
  timeout: { ...BAD, title: "Stopped: a limit was reached." },
  blocked: { ...BAD, title: "Blocked." },
  budget_warning: { ...WARNING, title: "Stopped: budget warning." },
  needs_human: { ...QUESTION, title: "Waiting for your answer." },
  stuck: { ...BAD, title: "Stuck: all attempts failed." },
  paused: { ...PENDING, title: "Paused." },
  interrupted: { ...PENDING, title: "Interrupted." },
};

const OTHER_TITLES: Readonly<Record<string, string>> = {
  STOP_UNDECIDED: "Stopped: nobody decided about the last change.",
  STOP_SUSPECT: "Waiting for you: a change is held.",
  [COULD_NOT_LAND]: "Waiting for you: a task could not land.",
};

const MESSAGE_CHARS = 600;

export function renderSeriesCard(summary: SeriesSummary, canvas: Canvas): string {
  const { end, reason, hint } = summary;
  const ended = reason === end ? end : `${end} (${neutralise(reason)})`;
  const text = renderCard(
    {
      ...HEADLINES[end],
      title: (Object.hasOwn(OTHER_TITLES, reason) ? OTHER_TITLES[reason] : undefined) ?? HEADLINES[end].title,
      why: renderQuotation(explainEnd(summary), canvas),
      facts: [["series", `${summary.series_id}: ${ended}`], ...listSeriesFacts(summary)],
      advice: hint && neutralise(hint),
      next: [...listHeldSteps(summary), ...listNextSteps(summary)].slice(0, STEPS_MAX),
    },
    canvas,
  );
  return `\n${text}`;
}

/** What the series says, what decided about its last tick, and a question with everything that can be answered. */
function explainEnd({ message, last_reason, question, end }: SeriesSummary): string {
  if (question !== null) return writeQuestion(question);
  const decisive = OF_THE_LAST_TICK.includes(end) ? last_reason : null;
  return [message, ...(decisive === null || message.includes(decisive) ? [] : [decisive])]
    .map((text) => shorten(text, MESSAGE_CHARS))
    .join("\n");
}

/** The ends that the last tick brought about. */
const OF_THE_LAST_TICK: readonly SeriesEnd[] = ["stopped", "breaker", "timeout", "stuck"];

const STEPS_MAX = 3;

function listHeldSteps({ held = [] }: SeriesSummary): readonly NextStep[] {
  const [first] = held;
  if (first === undefined) return [];
  return [step(`relais accept ${first.run_id}`, "keep what is held; `relais reject` does not")];
}

function listNextSteps(summary: SeriesSummary): readonly NextStep[] {
  const { end } = summary;
  switch (end) {
    case "needs_human":
      return [
        ...(summary.question === null ? [] : [ANSWER]),
        ...showUndecided(summary),
        ...(summary.reason === COULD_NOT_LAND ? [step("relais salvage", "list the saved work")] : []),
        step(renderSeriesCommand(summary), summary.question === null ? "continue" : "continue after your answer"),
        ...showLastTick(summary),
      ];
    case "paused":
    case "interrupted":
      return [step(renderSeriesCommand(summary), "continue"), ...startAnother(summary), ...listCommits(summary)];
    case "complete":
    case "max_ticks":
    case "milestone_changed":
      return [...listCommits(summary), ...showTree(summary), ...continueSeries(summary)];
    case "stuck":
      return [...showTree(summary), ...showLastTick(summary), ...listCommits(summary)];
    case "stopped":
    case "breaker":
    case "timeout":
      return [...showLastTick(summary), ...explainLastCode(summary), ...listCommits(summary)];
    case "blocked":
      return [...listUnblockSteps(summary), ...listCommits(summary)];
    case "budget_warning":
      return [BUDGET, ...listCommits(summary), ...continueSeries(summary)];
    default:
      return unreachable(end);
  }
}

function showUndecided({ reason, last_run_id }: SeriesSummary): readonly NextStep[] {
  if (reason !== "STOP_UNDECIDED" || last_run_id === null) return [];
  return [step(`relais salvage show ${last_run_id}`, "show the reverted change")];
}

function showLastTick({ last_run_id }: SeriesSummary): readonly NextStep[] {
  return last_run_id === null ? [] : [step("relais history show", "full report of the last tick")];
}

function explainLastCode({ last_code }: SeriesSummary): readonly NextStep[] {
  if (last_code === null || last_code === "SUCCESS") return [];
  return [explainCode(last_code)];
}

/** The steps for the code that blocked a tick, or the series before its first tick. */
function listUnblockSteps({ reason, hint, last_run_id, last_code }: SeriesSummary): readonly NextStep[] {
  if (!isCode(reason)) return [DOCTOR];
  const isMet = reason === last_code && last_run_id !== null;
  return [
    ...renderUnblockSteps(reason, findCauseByRemedy(reason, hint)).slice(0, isMet ? 1 : 2),
    ...(isMet ? [step("relais history show", "full report of the last tick")] : []),
    explainCode(reason),
  ];
}

function listCommits({ commits_total, commits: [oldest] }: SeriesSummary): readonly NextStep[] {
  if (commits_total === 0 || oldest === undefined) return [];
  return [step(`git log --oneline ${oldest.slice(0, 12)}^..`, "list the commits")];
}

function showTree({ command }: SeriesSummary): readonly NextStep[] {
  return command === "tree" ? [step("relais tree show", "show the tree")] : [];
}

/** A complete tree cannot be continued. */
function continueSeries(summary: SeriesSummary): readonly NextStep[] {
  if (summary.command === "tree" && summary.end === "complete") return showLastTick(summary);
  if (summary.command === "tree") return [step(renderSeriesCommand(summary), "continue the tree")];
  const explains = summary.end === "milestone_changed" ? "start the next milestone" : "start another series";
  return [step(renderSeriesCommand(summary), explains)];
}

function startAnother(summary: SeriesSummary): readonly NextStep[] {
  const command = renderAnotherSeriesCommand(summary);
  return command === null ? [] : [step(command, "start a new one")];
}
