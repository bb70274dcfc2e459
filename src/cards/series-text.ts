import { writeShellWord } from "../base/process-text.ts";
import type { SeriesBeginning, SeriesPause } from "../records/dry-run.ts";
import type { Report } from "../records/report.ts";
import { findOpenTurnOfReport } from "../tick/pure/turns.ts";
import { describeDecision } from "../tick/pure/decisive-words.ts";
import { shorten, countNoun } from "../base/words.ts";
import { type Canvas, measureWidth, type Fact, QUESTION } from "../base/canvas.ts";
import { formatDuration } from "../base/duration-text.ts";
import { joinLines, describeSize, pickVerdictMark, describeAmount } from "./report-words.ts";
import { renderTickWord } from "./tick-headline.ts";
import { wrapText } from "../base/wrap-text.ts";
import type { SeriesSummary } from "../records/series.ts";
import { neutralise } from "../base/style.ts";

/** The output of a running series: its start, one line for each tick, and its waits. */

export function renderBeginning({ seriesId, resumed, recoveredRunId, branch }: SeriesBeginning): string {
  const recovered = recoveredRunId === null ? "" : `Recovered the interrupted tick ${recoveredRunId}.\n`;
  const own =
    branch === null ? "" : `Its commits go to the branch ${neutralise(branch)}, because this one is protected.\n`;
  return `${recovered}${resumed ? `Continuing series ${seriesId}.` : `Series ${seriesId}.`}\n${own}`;
}

const INTENT_CHARS = 100;
const REASON_CHARS = 160;

const MARGIN = "    ";

/** One tick: how it ended, what it was about, how large it was and how long it took. Further lines are further in. */
export function renderTickLine(report: Report, canvas: Canvas): string {
  const { style } = canvas;
  const turn = findOpenTurnOfReport(report);
  const { mark, tone } = pickVerdictMark({ code: report.code, turn });
  const isGreen = report.code === "SUCCESS";
  const verdict = `${mark} ${renderTickWord(report)}`;
  const head = isGreen || turn !== null ? verdict : `${verdict} ${report.code}`;
  const width = measureWidth(canvas) - MARGIN.length;
  const [first = "", ...further] = wrapText(`${head}  ${listFacts(report).join("; ")}`, width);
  const why = isGreen ? null : explainEnd(report);
  const below = [...further, ...(why === null ? [] : wrapText(joinLines(shorten(why, REASON_CHARS)), width))];
  const lines = [`${style(tone, verdict)}${first.slice(verdict.length)}`, ...below.map((line) => MARGIN + line)];
  return `${lines.join("\n")}\n`;
}

function explainEnd(report: Report): string | null {
  return describeDecision({ ...report, runs: report.verification.runs }) ?? report.message ?? report.cause;
}

/** The words of an open turn say the same. */
const OUTCOMES = {
  passed: "the leaf passes",
  planned: "the plan changed",
  attempt: "the leaf fails (one attempt used)",
} as const;

function listFacts(report: Report): readonly string[] {
  const { task, code, iteration, duration_ms } = report;
  const turn = findOpenTurnOfReport(report);
  const facts = [
    task === null ? "no task" : joinLines(shorten(task.intent ?? task.task_id, INTENT_CHARS)),
    turn === null && iteration !== undefined ? OUTCOMES[iteration.outcome] : null,
    turn !== null && report.blast_radius.files_touched === 0 ? null : describeSize(report),
    describeCommit(report),
    formatDuration(duration_ms),
    // The words of a turn stand in the place of its code.
    turn === null || code === "SUCCESS" ? null : code,
  ];
  return facts.filter((fact) => fact !== null);
}

function describeCommit({ settle }: Report): string | null {
  const commit = settle?.commit ?? null;
  const kept = settle?.action === "rollback" ? "reverted, recorded" : "committed";
  return commit === null ? null : `${kept} as ${commit.slice(0, 12)}`;
}

/** What is said while it waits; the same words again and again as a countdown. */
export function renderWait({ until, leftMs, isLimit }: SeriesPause): string {
  const left = formatDuration(Math.ceil(leftMs / 1000) * 1000).replace(/\.0 s$/, " s");
  return `… waiting for ${isLimit ? "a rate limit" : "the next attempt"} until ${until}, ${left} left; relais continues by itself`;
}

/** What a series has done and used, in the lines that the cards of all of them share. */

export function listSeriesFacts(summary: SeriesSummary): readonly Fact[] {
  return [
    ["ticks", describeTicks(summary.ticks)],
    ["change", describeChange(summary)],
    ["merge", describeMerge(summary)],
    ...listHeldFacts(summary),
    ["sessions", describeSessions(summary)],
    ["cost", describeCost(summary.usage)],
    ["time", formatDuration(summary.duration_ms)],
  ];
}

function listHeldFacts({ held = [] }: SeriesSummary): readonly Fact[] {
  return held.map(({ run_id: runId, what }) => ["held", { ...QUESTION, text: `${runId}: ${neutralise(what)}` }]);
}

function describeTicks({ total, success, attempts, stop, blocked, not_yet = 0 }: SeriesSummary["ticks"]): string {
  const unfinished = total - success - attempts - stop - blocked;
  return [
    `${total}: ${success} kept`,
    ...(attempts === 0 ? [] : [countNoun(attempts, "failed attempt")]),
    ...(not_yet === 0 ? [] : [`${not_yet} not yet`]),
    `${stop - not_yet} stopped`,
    `${blocked} blocked`,
    ...(unfinished === 0 ? [] : [`${unfinished} unfinished`]),
  ].join(", ");
}

/** What brings the commits to the branch where the series began. */
function describeMerge({ branch, began_on: began, commits_total }: SeriesSummary): string | null {
  if (branch === null || began === undefined || commits_total === 0) return null;
  return neutralise(`git switch ${writeShellWord(began)} && git merge ${writeShellWord(branch)}`);
}

function describeChange({ change, commits_total, branch }: SeriesSummary): string {
  const { files_touched, lines_added, lines_deleted } = change;
  const size = `${countNoun(files_touched, "file")}, +${lines_added}/-${lines_deleted}`;
  if (branch === null || commits_total === 0) return `${size}; no commit`;
  return `${size}; ${countNoun(commits_total, "commit")} on ${neutralise(branch)}`;
}

function describeSessions({ budgets }: SeriesSummary): string {
  const { orchestrator_calls, builder_calls, verify_runs, reviewer_calls } = budgets;
  const counts = [
    [orchestrator_calls, "plan"],
    [builder_calls, "build"],
    [verify_runs, "check"],
    [reviewer_calls, "review"],
  ] as const;
  const words = counts.flatMap(([count, noun]) => (count === 0 ? [] : [countNoun(count, noun)]));
  return words.length === 0 ? "none" : words.join(", ");
}

/** Said once for all of it: what nobody reported is not nothing. */
function describeCost(usage: SeriesSummary["usage"]): string {
  const amount = describeAmount(usage);
  if (amount === null) return "not reported";
  const { ticks_unreported } = usage;
  const rest = ticks_unreported === 0 ? "" : `; not reported for ${countNoun(ticks_unreported, "tick")}`;
  return `${amount}, as reported${rest}`;
}

/** The commits of a series so far. */
export function describeCommits({ branch, commits }: { branch: string | null; commits: readonly string[] }): Fact {
  return ["commits", branch === null ? "none" : `${commits.length} on ${neutralise(branch)}`];
}
