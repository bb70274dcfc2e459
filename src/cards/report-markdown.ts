/**
 * REPORT.md: the report for people and for the next orchestrator, made from REPORT.json and nothing else.
 *
 * The first lines answer what happened, why, how large it was and what to do next; they are short enough to survive
 * the smallest cap. Every line begins with our own words, and what others chose stands in code spans, so that no name
 * or sentence of an agent can become a heading, a link or a list.
 */
import type { Finding } from "../records/judgement.ts";
import type { Report, VerificationRun } from "../records/report.ts";
import { countNoun, formatDollars } from "../base/words.ts";
import { isGreenRun } from "../tick/pure/decisive-words.ts";
import { renderCodeSpan, renderProseSpan, renderQuotedSpans } from "../base/code-span.ts";
import { formatDuration } from "../base/duration-text.ts";
import { renderNextSteps, findRemedy } from "./next-steps.ts";
import { listPromptItems } from "./card-facts.ts";
import {
  describeCheck,
  describeExtraTime,
  describeEnd,
  describeIsolation,
  describeLargest,
  describeOutside,
  describeReviewer,
  describeSettlement,
  describeSize,
  describeUsage,
  listDecidingRuns,
  SUMMARY_UNREADABLE,
} from "./report-words.ts";

/** One long list must not push everything below it over the cap. */
const FINDINGS_SHOWN = 20;
const NOTES_SHOWN = 10;
const PATHS_SHOWN = 40;

interface MarkdownOptions {
  readonly maxChars: number;
  /** Without ids, times, costs and the commands of a person, which say nothing about the work; absent is no. */
  readonly isForPlan?: boolean;
}

/** Renders a report in at most `maxChars` characters; what does not fit is cut by whole lines and counted. */
export function renderReportMarkdown(report: Report, { maxChars, isForPlan = false }: MarkdownOptions): string {
  const { findings, findings_total, notes, notes_total, scope } = report;
  return capLines(
    [
      ...renderSummary(report, isForPlan),
      ...renderQuestion(report),
      ...renderSection("Findings", listItems(findings.slice(0, FINDINGS_SHOWN).map(renderFinding), findings_total)),
      ...renderSection("Checks", listCheckItems(report)),
      ...listLastLines(report),
      ...renderSection("Review", listReviews(report)),
      ...(isForPlan ? renderWork(report) : renderCircumstances(report)),
      ...renderSection("Notes", listItems(notes.slice(0, NOTES_SHOWN).map(renderProseSpan), notes_total)),
      ...renderSection(
        "Touched paths",
        listItems(scope.touched_paths.slice(0, PATHS_SHOWN).map(renderCodeSpan), scope.touched_paths_total),
      ),
      ...(isForPlan ? [] : listExpenses(report)),
    ],
    maxChars,
  );
}

function listExpenses(report: Report): readonly string[] {
  return [
    ...renderSection("Budget", listBudgets(report)),
    ...renderSection("Prompts", listPromptItems(report)),
    ...renderSection("Files", listFiles(report)),
  ];
}

function renderSummary(report: Report, isForPlan: boolean): readonly string[] {
  const { verdict, code, cause, message } = report;
  const remedy = findRemedy(report) ?? "Nothing to do.";
  return [
    `# ${verdict}: ${code}`,
    "",
    `- Why: ${describeEnd(report)}`,
    `- Blast radius: ${describeExtent(report)}`,
    `- Next: ${remedy}`,
    ...(isForPlan ? [] : renderNextSteps(report)).map(({ command }) => `  - \`${command}\``),
    ...(cause === null ? [] : [`- Cause: ${renderProseSpan(cause)}`]),
    ...(report.retry_at === undefined ? [] : [`- Retry at: ${report.retry_at}`]),
    ...(message === null || report.question !== null ? [] : ["- Details:", "", ...renderQuotedSpans(message)]),
  ];
}

function describeExtent(report: Report): string {
  const words = [describeSize(report), describeLargest(report, renderCodeSpan), describeOutside(report)];
  const known = words.filter((text) => text !== null);
  return known.length === 0 ? "not measured" : known.join("; ");
}

/** What the red check printed last, each line in a span of its own. */
function listLastLines(report: Report): readonly string[] {
  const lines = listDecidingRuns(report).runs.flatMap(({ last_lines }) => last_lines ?? []);
  return lines.length === 0
    ? []
    : ["", "## Last lines of the failed check", "", ...renderQuotedSpans(lines.join("\n"))];
}

function renderQuestion({ question: asked }: Report): readonly string[] {
  if (asked === null) return [];
  const choices = asked.choices.map((choice, index) => `${index + 1}. ${renderProseSpan(choice)}`);
  return ["", "## Question", "", ...renderQuotedSpans(asked.prompt), ...(choices.length === 0 ? [] : ["", ...choices])];
}

function renderCircumstances(report: Report): readonly string[] {
  const isolation = describeIsolation(report);
  return renderSection("Tick", [
    `Run ${renderCodeSpan(report.run_id)} of series ${renderCodeSpan(report.series_id)}, workflow ${report.workflow}`,
    `From ${report.started_at} to ${report.ended_at}, ${formatDuration(report.duration_ms)}`,
    ...describeTask(report.task),
    ...(report.base_commit === null ? [] : [`Base commit: ${renderCodeSpan(report.base_commit)}`]),
    ...(report.uncommitted === undefined ? [] : [`On top of it: ${countNoun(report.uncommitted, "uncommitted file")}`]),
    describeOutcome(report),
    ...(isolation === null ? [] : [`Builder: ${isolation}`]),
    ...(report.builder_output_valid === false ? [SUMMARY_UNREADABLE] : []),
    ...report.usage.map((usage) => `Cost: ${describeUsage(usage)}`),
  ]);
}

const describeOutcome = (report: Report): string => `Outcome: ${describeSettlement(report, renderCodeSpan)}`;

function renderWork(report: Report): readonly string[] {
  return renderSection("Tick", [
    ...describeTask(report.task),
    describeOutcome(report),
    ...(report.builder_output_valid === false ? [SUMMARY_UNREADABLE] : []),
  ]);
}

function describeTask(task: Report["task"]): readonly string[] {
  if (task === null) return [];
  const kind = task.task_kind ?? "control";
  const intent = task.intent === null ? "" : `: ${renderProseSpan(task.intent)}`;
  return [`Task ${renderCodeSpan(task.task_id)} (${kind}, milestone ${renderCodeSpan(task.milestone_id)})${intent}`];
}

function renderFinding({ code, subject, rule, glob }: Finding): string {
  const decided = glob === null ? "" : `, glob ${renderCodeSpan(glob)}`;
  return `${renderCodeSpan(subject)}: ${renderProseSpan(rule)} (${code}${decided})`;
}

function renderCheck(run: VerificationRun): string {
  const argv = renderCodeSpan([run.cmd, ...run.args].join(" "));
  return `${isGreenRun(run) ? "✓" : "✗"} ${describeCheck(run, renderCodeSpan)} (${run.phase}): ${argv}`;
}

function listCheckItems(report: Report): readonly string[] {
  const { runs, runs_total } = listDecidingRuns(report);
  const extra = describeExtraTime(report);
  return [...listItems(runs.map(renderCheck), runs_total), ...(extra === null ? [] : [extra])];
}

function listReviews({ review }: Report): readonly string[] {
  if (review === null) return [];
  const approvals = review.reviewers.filter(({ vote }) => vote === "approve").length;
  return [
    `${approvals} approvals, ${review.quorum} needed`,
    ...review.reviewers.map(
      (reviewer) => `${reviewer.vote === "approve" ? "✓" : "✗"} ${describeReviewer(reviewer, renderProseSpan)}`,
    ),
    ...review.reviewers.flatMap(({ name, wrote }) =>
      wrote.length === 0
        ? []
        : [`Changed during the review by ${name}, and reverted: ${wrote.map(renderCodeSpan).join(", ")}`],
    ),
  ];
}

function listBudgets({ budgets }: Report): readonly string[] {
  const milestone = budgets.milestone_id === null ? "" : ` in milestone ${renderCodeSpan(budgets.milestone_id)}`;
  const calls = [
    countNoun(budgets.ticks, "tick"),
    countNoun(budgets.orchestrator_calls, "orchestrator call"),
    countNoun(budgets.builder_calls, "builder call"),
    countNoun(budgets.verify_runs, "check"),
    countNoun(budgets.reviewer_calls, "reviewer call"),
    `${formatDollars(budgets.estimated_cost_usd)} reported`,
  ];
  return [
    `Spent${milestone}: ${calls.join(", ")}`,
    ...budgets.warnings.map((warning) => `Warning: ${renderProseSpan(warning)}`),
  ];
}

function listFiles({ pointers, diff, verification }: Report): readonly string[] {
  const files = [
    ["History", pointers.history_dir],
    ["Patch", diff.diff_patch_path],
    ["Log of the checks", verification.verify_log_path],
    ["Salvage", pointers.salvage],
  ] as const;
  return files.flatMap(([name, path]) =>
    path === undefined || path === null ? [] : [`${name}: ${renderCodeSpan(path)}`],
  );
}

function renderSection(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ["", `## ${title}`, "", ...items.map((item) => `- ${item}`)];
}

function listItems(items: readonly string[], total: number): readonly string[] {
  return total > items.length ? [...items, `and ${total - items.length} more`] : items;
}

const countMissing = (missing: number) => `\n${missing} more lines are not shown; REPORT.json has all of it.\n`;

/** Keeps as many whole lines as fit together with the sentence that counts the rest. */
function capLines(lines: readonly string[], maxChars: number): string {
  const whole = `${lines.join("\n")}\n`;
  if (whole.length <= maxChars) return whole;
  const room = maxChars - countMissing(lines.length).length;
  let used = 0;
  let kept = 0;
  for (const line of lines) {
    used += line.length + 1;
    if (used > room) break;
    kept += 1;
  }
  const shown = lines.slice(0, kept).map((line) => `${line}\n`);
  return `${shown.join("")}${countMissing(lines.length - kept)}`.slice(0, Math.max(0, maxChars));
}
