/** The card at the end of a series: how it ended and why, what it has done, and what to type next. */
import { type Code, CODES, type SeriesEnd } from "../../contract/values/codes.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import type { SeriesSummary } from "../../contract/journal/series.ts";
import { shorten } from "../../core/words/shorten.ts";
import { type Canvas, renderLabelled, type NextStep, renderQuotation, type Tone } from "../text/canvas.ts";
import { renderCard } from "../cards/card.ts";
import { neutralise } from "../text/neutralise.ts";
import { renderUnblockSteps } from "../cards/next-steps.ts";
import { renderAnotherSeriesCommand, renderSeriesCommand } from "./series-commands.ts";
import { renderSeriesFacts } from "./series-facts.ts";

interface Words {
  readonly mark: string;
  readonly tone: Tone;
  readonly title: string;
}

const done = (title: string): Words => ({ mark: "✓", tone: "good", title });
const failed = (title: string): Words => ({ mark: "✗", tone: "bad", title });

const WORDS: Readonly<Record<SeriesEnd, Words>> = {
  complete: done("Complete."),
  max_ticks: done("Done: reached --max-ticks."),
  milestone_changed: done("Done: the next task belongs to another milestone."),
  stopped: failed("Stopped: a tick failed."),
  breaker: failed("Stopped: no progress."),
  timeout: failed("Stopped: a tick reached its time limit."),
  blocked: failed("Blocked."),
  budget_warning: {
    mark: "!",
    tone: "strong",
    title: "Stopped: budget warning.",
  },
  needs_human: { mark: "?", tone: "strong", title: "Waiting for your answer." },
  stuck: failed("Stuck: all attempts failed."),
  interrupted: { mark: "…", tone: "strong", title: "Interrupted." },
};

const MESSAGE_CHARS = 600;

export function renderSeriesCard(summary: SeriesSummary, canvas: Canvas): string {
  const text = renderCard(
    {
      ...WORDS[summary.end],
      word: null,
      why: renderQuotation(whyText(summary), canvas),
      facts: [
        ...renderLabelled("series", `${summary.series_id}: ${endWords(summary)}`, canvas),
        ...renderSeriesFacts(summary, canvas),
      ],
      advice: summary.hint === null ? null : neutralise(summary.hint),
      next: nextSteps(summary).slice(0, STEPS_MAX),
    },
    canvas,
  );
  return `\n${text}`;
}

function endWords({ end, reason }: SeriesSummary): string {
  return reason === end ? end : `${end} (${neutralise(reason)})`;
}

/** What the series says, what decided about its last tick, and a question with everything that can be answered. */
function whyText({ message, last_reason, question, end }: SeriesSummary): string {
  if (question !== null)
    return [question.prompt, ...question.choices.map((choice, index) => `${index + 1}. ${choice}`)].join("\n");
  const decisive = OF_THE_LAST_TICK.includes(end) ? last_reason : null;
  return [message, ...(decisive === null || message.includes(decisive) ? [] : [decisive])]
    .map((text) => shorten(text, MESSAGE_CHARS))
    .join("\n");
}

/** The ends that the last tick brought about. */
const OF_THE_LAST_TICK: readonly SeriesEnd[] = ["stopped", "breaker", "timeout", "stuck"];

const STEPS_MAX = 3;
const step = (command: string, explains: string): NextStep => ({ command, explains });

function nextSteps(summary: SeriesSummary): readonly NextStep[] {
  const { end } = summary;
  switch (end) {
    case "needs_human":
      return [
        ...(summary.question === null ? [] : [step('relais answer "..."', "answer the question")]),
        step(renderSeriesCommand(summary), "continue after your answer"),
        ...lastTick(summary),
      ];
    case "interrupted":
      return [step(renderSeriesCommand(summary), "continue"), ...another(summary), ...committed(summary)];
    case "complete":
    case "max_ticks":
    case "milestone_changed":
      return [...committed(summary), ...tree(summary), ...goOn(summary)];
    case "stuck":
      return [...tree(summary), ...lastTick(summary), ...committed(summary)];
    case "stopped":
    case "breaker":
    case "timeout":
      return [...lastTick(summary), ...code(summary), ...committed(summary)];
    case "blocked":
      return [...unblocked(summary), ...committed(summary)];
    case "budget_warning":
      return [step("relais status", "show the budget"), ...committed(summary), ...goOn(summary)];
    default:
      return unreachable(end);
  }
}

function lastTick({ last_run_id }: SeriesSummary): readonly NextStep[] {
  return last_run_id === null ? [] : [step("relais history show", "full report of the last tick")];
}

function code({ last_code }: SeriesSummary): readonly NextStep[] {
  if (last_code === null || last_code === "SUCCESS") return [];
  return [step(`relais explain ${last_code}`, "explain this code")];
}

/** The steps for the code that blocked a tick, or the series before its first tick. */
function unblocked({ reason, last_run_id, last_code }: SeriesSummary): readonly NextStep[] {
  if (!isCode(reason)) return [step("relais doctor", "find out what is missing")];
  const isMet = reason === last_code && last_run_id !== null;
  return [
    ...renderUnblockSteps(reason, null).slice(0, isMet ? 1 : 2),
    ...(isMet ? [step("relais history show", "full report of the last tick")] : []),
    step(`relais explain ${reason}`, "explain this code"),
  ];
}

function isCode(name: string): name is Code {
  return Object.hasOwn(CODES, name);
}

function committed({ commits_total, commits: [oldest] }: SeriesSummary): readonly NextStep[] {
  if (commits_total === 0 || oldest === undefined) return [];
  return [step(`git log --oneline ${oldest.slice(0, 12)}^..`, "list the commits")];
}

function tree({ command }: SeriesSummary): readonly NextStep[] {
  return command === "tree" ? [step("relais tree show", "show the tree")] : [];
}

/** A complete tree cannot be continued. */
function goOn(summary: SeriesSummary): readonly NextStep[] {
  if (summary.command === "tree" && summary.end === "complete") return lastTick(summary);
  if (summary.command === "tree") return [step(renderSeriesCommand(summary), "continue the tree")];
  const explains = summary.end === "milestone_changed" ? "start the next milestone" : "start another series";
  return [step(renderSeriesCommand(summary), explains)];
}

function another(summary: SeriesSummary): readonly NextStep[] {
  const command = renderAnotherSeriesCommand(summary);
  return command === null ? [] : [step(command, "start a new one")];
}
