/** The card at the end of a series: how it ended and why, what it has done, and what to type next. */
import { type Code, CODES, type SeriesEnd } from "../../contract/values/codes.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import type { SeriesSummary } from "../../contract/journal/series.ts";
import { shorten } from "../../core/words/shorten.ts";
import { type Canvas, labelled, type NextStep, quotation, type Tone } from "../text/canvas.ts";
import { cardText } from "../cards/card.ts";
import { neutralise } from "../text/neutralise.ts";
import { unblockSteps } from "../cards/next-steps.ts";
import { anotherSeriesCommand, seriesCommand } from "./series-commands.ts";
import { seriesFacts } from "./series-facts.ts";

interface Words {
  readonly mark: string;
  readonly tone: Tone;
  readonly title: string;
}

const done = (title: string): Words => ({ mark: "✓", tone: "good", title });
const failed = (title: string): Words => ({ mark: "✗", tone: "bad", title });

const WORDS: Readonly<Record<SeriesEnd, Words>> = {
  complete: done("The series is complete."),
  max_ticks: done("The ticks that were asked for are done."),
  milestone_changed: done("The milestone is done; the next task belongs to another one."),
  stopped: failed("A tick stopped, and the series with it."),
  breaker: failed("The series was ended because it did not get on."),
  timeout: failed("A tick reached its time limit, and the series ended with it."),
  blocked: failed("The series cannot go on."),
  budget_warning: {
    mark: "!",
    tone: "strong",
    title: "The series was ended at the warning mark of the budget.",
  },
  needs_human: { mark: "?", tone: "strong", title: "A person has to answer." },
  stuck: failed("The attempts at one piece of work are used up."),
  interrupted: { mark: "…", tone: "strong", title: "The series was interrupted." },
};

const MESSAGE_CHARS = 600;

export function seriesCard(summary: SeriesSummary, canvas: Canvas): string {
  const text = cardText(
    {
      ...WORDS[summary.end],
      word: null,
      why: quotation(whyText(summary), canvas),
      facts: [
        ...labelled("series", `${summary.series_id}: ${endWords(summary)}`, canvas),
        ...seriesFacts(summary, canvas),
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
    return [question.prompt, ...question.choices.map((choice, index) => `${index + 1}. ${choice}`)].join(
      "\n",
    );
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
        ...(summary.question === null
          ? []
          : [step('relais answer "..."', "answer it; the next tick is told")]),
        step(seriesCommand(summary), "go on, once it is answered"),
        ...lastTick(summary),
      ];
    case "interrupted":
      return [step(seriesCommand(summary), "go on with it"), ...another(summary), ...committed(summary)];
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
      return [
        step("relais status", "what is spent and what is left"),
        ...committed(summary),
        ...goOn(summary),
      ];
    default:
      return unreachable(end);
  }
}

function lastTick({ last_run_id }: SeriesSummary): readonly NextStep[] {
  return last_run_id === null ? [] : [step("relais history show", "everything about the last tick")];
}

function code({ last_code }: SeriesSummary): readonly NextStep[] {
  if (last_code === null || last_code === "SUCCESS") return [];
  return [step(`relais explain ${last_code}`, "what this code means")];
}

/** What was in the way has a code, whether a tick met it or the series before it could begin one. */
function unblocked({ reason, last_run_id, last_code }: SeriesSummary): readonly NextStep[] {
  if (!isCode(reason)) return [step("relais doctor", "what is missing, and how to get it")];
  const isMet = reason === last_code && last_run_id !== null;
  return [
    ...unblockSteps(reason, null).slice(0, isMet ? 1 : 2),
    ...(isMet ? [step("relais history show", "everything about the last tick")] : []),
    step(`relais explain ${reason}`, "what this code means"),
  ];
}

function isCode(name: string): name is Code {
  return Object.hasOwn(CODES, name);
}

function committed({ commits_total, commits: [oldest] }: SeriesSummary): readonly NextStep[] {
  if (commits_total === 0 || oldest === undefined) return [];
  return [step(`git log --oneline ${oldest.slice(0, 12)}^..`, "what was committed")];
}

function tree({ command }: SeriesSummary): readonly NextStep[] {
  return command === "tree" ? [step("relais tree show", "the tree as it is now")] : [];
}

/** A tree that is complete has nothing to go on with, whatever is typed. */
function goOn(summary: SeriesSummary): readonly NextStep[] {
  if (summary.command === "tree" && summary.end === "complete") return lastTick(summary);
  if (summary.command === "tree") return [step(seriesCommand(summary), "go on with the tree")];
  const explains = summary.end === "milestone_changed" ? "a series for the next milestone" : "another series";
  return [step(seriesCommand(summary), explains)];
}

function another(summary: SeriesSummary): readonly NextStep[] {
  const command = anotherSeriesCommand(summary);
  return command === null ? [] : [step(command, "begin another one")];
}
