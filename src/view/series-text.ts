/** A series for people: a line for each tick while it runs, and a card when it is over. */
import type { SeriesEnd } from "../contract/codes.ts";
import type { Report } from "../contract/report.ts";
import type { SeriesSummary } from "../contract/series.ts";
import { counted } from "../core/counted.ts";
import { shorten } from "../core/shorten.ts";
import { type Canvas, labelled, type NextStep, paragraph, quotation, steps } from "./canvas.ts";
import { durationText } from "./duration-text.ts";
import { neutralise } from "./neutralise.ts";
import { dollars, oneLine, sizeWords, verdictMark } from "./report-words.ts";

interface Beginning {
  readonly seriesId: string;
  readonly resumed: boolean;
  readonly recoveredRunId: string | null;
}

/** What is said before the first tick. */
export function beginningText({ seriesId, resumed, recoveredRunId }: Beginning): string {
  const recovered =
    recoveredRunId === null ? "" : `The tick ${recoveredRunId} was cut short; it was brought to its end.\n`;
  return `${recovered}${resumed ? `Going on with the series ${seriesId}.` : `Series ${seriesId}.`}\n`;
}

const INTENT_CHARS = 100;
const REASON_CHARS = 160;

/** One tick: how it ended, what it was about, how large it was and how long it took. */
export function tickLine(report: Report, { style }: Canvas): string {
  const { mark, word, tone } =
    report.iteration?.outcome === "attempt" ? attemptMark(report) : verdictMark(report);
  const verdict = style(tone, `${mark} ${word}`);
  const facts = factsOf(report).join("; ");
  if (report.code === "SUCCESS") return `${verdict}  ${facts}\n`;
  const why = report.message ?? report.cause;
  const because = why === null ? "" : `    ${oneLine(shorten(why, REASON_CHARS))}\n`;
  return `${verdict} ${report.code}  ${facts}\n${because}`;
}

/** Every gate was green, and the leaf of the tree has one attempt less all the same. */
function attemptMark(report: Report) {
  if (report.code !== "SUCCESS") return verdictMark(report);
  return { mark: "○", word: "attempt", tone: "strong" } as const;
}

const OUTCOMES = {
  passed: "the leaf passes",
  planned: "the plan changed",
  attempt: "the leaf does not pass, which costs an attempt",
} as const;

function factsOf(report: Report): readonly string[] {
  const { task, settle, duration_ms } = report;
  const size = sizeWords(report);
  const commit = settle?.commit ?? null;
  const kept = settle?.action === "rollback" ? "put back, and recorded" : "committed";
  return [
    task === null ? "no task" : oneLine(shorten(task.intent ?? task.task_id, INTENT_CHARS)),
    ...(report.iteration === undefined ? [] : [OUTCOMES[report.iteration.outcome]]),
    ...(size === null ? [] : [size]),
    ...(commit === null ? [] : [`${kept} as ${commit.slice(0, 12)}`]),
    durationText(duration_ms),
  ];
}

/** What is said while it waits; the same words again and again as a countdown. */
export function waitText({ until, leftMs }: { readonly until: string; readonly leftMs: number }): string {
  const left = durationText(Math.ceil(leftMs / 1000) * 1000).replace(/\.0 s$/, " s");
  return `… waiting for a rate limit until ${until}, ${left} left; it goes on by itself`;
}

const WORDS: Readonly<Record<SeriesEnd, string>> = {
  complete: "The series is complete.",
  max_ticks: "The ticks that were asked for are done.",
  milestone_changed: "The milestone is done; the next task belongs to another one.",
  stopped: "A tick stopped, and the series with it.",
  breaker: "The series was ended because it did not get on.",
  timeout: "A tick reached its time limit, and the series ended with it.",
  blocked: "The series cannot go on.",
  budget_warning: "The series was ended at the warning mark of the budget.",
  needs_human: "A person has to answer.",
  stuck: "The attempts at one piece of work are used up.",
  interrupted: "The series was interrupted.",
};

/** The card at the end: how it ended and why, what it has done, and what to type next. */
export function seriesCard(summary: SeriesSummary, canvas: Canvas): string {
  const { style } = canvas;
  const isGood = summary.exit_status === 0;
  const lines = [
    "",
    `${style(isGood ? "good" : "bad", isGood ? "✓" : "✗")} ${style("strong", WORDS[summary.end])}`,
    ...quotation(shorten(summary.message, 600), canvas),
    "",
    ...labelled("series", `${summary.series_id}: ${summary.end} (${neutralise(summary.reason)})`, canvas),
    ...labelled("ticks", ticksWords(summary), canvas),
    ...labelled("commits", commitsWords(summary), canvas),
    ...labelled("budget", budgetWords(summary), canvas),
    ...labelled("time", durationText(summary.duration_ms), canvas),
    "",
    ...paragraph(`Next:${summary.hint === null ? "" : ` ${neutralise(summary.hint)}`}`, canvas),
    ...steps(nextSteps(summary), canvas),
  ];
  return `${lines.join("\n")}\n`;
}

function ticksWords({ ticks: { total, success, stop, blocked } }: SeriesSummary): string {
  return `${total}: ${success} green, ${stop} stopped, ${blocked} blocked`;
}

function commitsWords({ commits_total, branch }: SeriesSummary): string {
  return branch === null ? "none" : `${commits_total} on ${neutralise(branch)}`;
}

function budgetWords({ budgets }: SeriesSummary): string {
  const { orchestrator_calls, builder_calls, verify_runs, reviewer_calls, estimated_cost_usd } = budgets;
  return [
    counted(orchestrator_calls, "plan"),
    counted(builder_calls, "build"),
    counted(verify_runs, "check"),
    ...(reviewer_calls > 0 ? [counted(reviewer_calls, "review")] : []),
    ...(estimated_cost_usd > 0 ? [`${dollars(estimated_cost_usd)} as reported`] : []),
  ].join(", ");
}

const step = (command: string, explains: string): NextStep => ({ command, explains });
const LAST = step("relais history show", "everything about the last tick");

/** What was typed to run it. */
const lineOf = ({ command }: SeriesSummary): string => `relais ${command}${command === "tree" ? " run" : ""}`;

function committed({ commits_total, commits: [oldest] }: SeriesSummary): readonly NextStep[] {
  if (commits_total === 0 || oldest === undefined) return [];
  return [step(`git log --oneline ${oldest.slice(0, 12)}^..`, "what was committed")];
}

/** The ends after which there is nothing to go on with before a person has looked at the tree. */
const OF_A_TREE: readonly SeriesEnd[] = ["complete", "stuck"];

function nextSteps(summary: SeriesSummary): readonly NextStep[] {
  const { command, end } = summary;
  const goOn = step(lineOf(summary), "go on");
  const done = committed(summary);
  if (end === "needs_human") return [step('relais answer "..."', "answer it"), goOn, ...done];
  if (end === "interrupted") return [goOn, step(`${lineOf(summary)} --new`, "begin another series"), ...done];
  if (command === "tree" && OF_A_TREE.includes(end))
    return [step("relais tree show", "the tree as it is now"), LAST, ...done];
  if (end === "complete" || end === "max_ticks" || end === "milestone_changed") return [...done, goOn];
  return [LAST, step("relais status", "where things stand"), ...done];
}
