/** The card after a tick: the result, the reason, the size of the change, and the next commands. */
import type { Report, VerificationRun } from "../../contract/documents/report.ts";
import { nameFindingRule, isGreenRun } from "../../core/words/decisive-words.ts";
import { shorten } from "../../core/words/shorten.ts";
import { BUILDER_SAYS, NOT_PUT_BACK } from "../../core/tick/report.ts";
import { NOT_KEPT } from "../../core/words/unkept-notes.ts";
import { BAD, type Canvas, type Fact, GOOD, listFacts, renderParagraph, renderQuotation } from "../text/canvas.ts";
import { renderCard } from "./card.ts";
import { formatDuration } from "../text/duration-text.ts";
import { neutralise } from "../text/neutralise.ts";
import { describeCause } from "../../core/words/cause-words.ts";
import { renderLaterSteps, renderNextSteps, findRemedy } from "./next-steps.ts";
import { renderHeadlineReason, renderTickWord } from "./tick-headline.ts";
import {
  describeCheck,
  describeIsolation,
  describeLargest,
  joinLines,
  describeOutside,
  describeReviewer,
  describeSettlement,
  describeSize,
  describeUsage,
  pickVerdictMark,
  SUMMARY_UNREADABLE,
  writeQuestion,
} from "./report-words.ts";

/** How much of everything is shown: a glance after a tick, a page about one tick, or all there is. */
const DETAIL = {
  card: { items: 3, checks: 6, chars: 160, messageChars: 600, isFull: false },
  page: { items: 20, checks: 20, chars: 2000, messageChars: 2000, isFull: true },
  all: { items: Infinity, checks: Infinity, chars: Infinity, messageChars: Infinity, isFull: true },
} as const;
/** How much of what a red check printed is worth a glance. */
const LAST_LINES = 4;
type Detail = (typeof DETAIL)[keyof typeof DETAIL];

interface CardOptions extends Canvas {
  readonly extent?: keyof typeof DETAIL;
  /** Further facts below those of the report. */
  readonly more?: readonly Fact[];
}

export function renderTickCard(report: Report, { style, columns, extent = "card", more = [] }: CardOptions): string {
  const canvas = { style, columns };
  const isCard = extent === "card";
  const reason = renderHeadlineReason(report);
  const word = renderTickWord(report);
  return renderCard(
    {
      ...pickVerdictMark(report),
      word: reason === null ? word : `${word}:`,
      title: reason ?? "",
      why: explainEnd(report, reason !== null, { ...canvas, ...DETAIL[extent] }),
      facts: [...listTickFacts(report, DETAIL[extent]), ...more],
      // In the history, an accepted change may be decided already.
      advice: isCard || report.code !== "SUCCESS" ? findRemedy(report) : null,
      next: isCard ? renderNextSteps(report) : renderLaterSteps(report),
    },
    canvas,
  );
}

/** The meaning of the code, unless the headline has the reason, and the message. */
function explainEnd(report: Report, isInHeadline: boolean, canvas: Canvas & Detail): readonly string[] {
  const { code, cause, message, question } = report;
  const meaning = isInHeadline ? [] : renderParagraph(describeCause(code, cause).meaning, canvas);
  const said = question === null ? shorten(message ?? "", canvas.messageChars) : writeQuestion(question);
  return [...meaning, ...renderQuotation(said, canvas)];
}

function listTickFacts(report: Report, detail: Detail): readonly Fact[] {
  const { code, cause, task, retry_at, budgets } = report;
  const [size, settled] = [describeSize(report), describeSettlement(report, neutralise)];
  const intent = task?.intent ?? null;
  return [
    ["task", task && joinLines(shorten(intent === null ? task.task_id : `${task.task_id}: ${intent}`, detail.chars))],
    ["retry", retry_at === undefined ? null : `from ${retry_at}; the service refuses until then`],
    ["change", size === null ? settled : `${size}; ${settled}`],
    ...listExtent(report, detail),
    ...listFindings(report, detail),
    ...(detail.isFull ? [] : listNotes(report, detail)),
    ...listChecks(report, detail),
    ...listReviewers(report, detail),
    ...listCosts(report),
    ...describeBuilder(report),
    ...describeSalvage(report, detail),
    ...budgets.warnings.slice(0, detail.items).map((warning): Fact => ["budget", neutralise(warning)]),
    ["time", formatDuration(report.duration_ms)],
    ["code", cause === null ? code : `${code} (${neutralise(cause)})`],
  ];
}

/** The largest file, the number of paths outside the allowed ones, and what a failed rollback left different. */
function listExtent(report: Report, { chars, items }: Detail): readonly Fact[] {
  const outside = describeOutside(report);
  const left = report.notes.filter((note) => note.startsWith(NOT_PUT_BACK)).slice(0, items);
  return [
    ["", describeLargest(report, (path) => neutralise(shorten(path, chars)))],
    ["", outside && { ...BAD, text: outside }],
    ...left.map((note): Fact => ["", { ...BAD, text: neutralise(shorten(note, chars)) }]),
  ];
}

/** Where the reverted change is saved, and which parts are not. */
function describeSalvage({ pointers: { salvage }, notes }: Report, { chars }: Detail): readonly Fact[] {
  const unkept = notes.filter((note) => note.startsWith(NOT_KEPT));
  return [
    ["salvage", salvage === undefined ? null : `the change is saved as ${salvage}`],
    ...unkept.map((note): Fact => ["salvage", { ...BAD, text: joinLines(shorten(note, chars)) }]),
  ];
}

/** Notes of the runner, such as changed tests. `relais history show` lists all notes itself. */
function listNotes({ notes, notes_total }: Report, { items, chars }: Detail): readonly Fact[] {
  const told = [NOT_PUT_BACK, NOT_KEPT, BUILDER_SAYS];
  const own = notes.filter((note) => !told.some((beginning) => note.startsWith(beginning)));
  if (own.length === 0) return [];
  const texts = own.map((note) => joinLines(shorten(note, chars)));
  return listFacts("notes", texts, { max: items, total: own.length + notes_total - notes.length });
}

function listFindings({ findings, findings_total }: Report, { items, chars, isFull }: Detail): readonly Fact[] {
  const marked = findings.slice(0, items).map((finding) => {
    const rule = nameFindingRule({ ...finding, rule: shorten(finding.rule, chars) });
    const words = `${neutralise(shorten(finding.subject, chars))}: ${neutralise(rule)}`;
    return { ...BAD, text: isFull ? `${words} ${finding.code}` : words };
  });
  return listFacts("findings", marked, { max: items, total: findings_total });
}

function listChecks({ verification: { runs, runs_total } }: Report, detail: Detail): readonly Fact[] {
  // What failed is last, and it is what a person looks for.
  const shown = runs.length > detail.checks ? [...runs.slice(0, detail.checks - 1), ...runs.slice(-1)] : runs;
  const texts = shown.flatMap((run) => [describeRun(run, detail), ...listLastLines(run, detail)]);
  return listFacts("checks", texts, { max: Infinity, total: texts.length + runs_total - shown.length });
}

function describeRun(run: VerificationRun, { isFull }: Detail) {
  const argv = isFull ? `: ${neutralise([run.cmd, ...run.args].join(" "))}` : "";
  return { ...(isGreenRun(run) ? GOOD : BAD), text: `${describeCheck(run, neutralise)}${argv}` };
}

/** What a red check printed last; at a glance only its end. */
function listLastLines({ last_lines = [] }: VerificationRun, { isFull, chars }: Detail) {
  const lines = isFull ? last_lines : last_lines.slice(-LAST_LINES);
  return lines.map((line) => ({ mark: "│", tone: "faint", text: neutralise(shorten(line, chars)) }) as const);
}

function listReviewers({ review }: Report, { chars }: Detail): readonly Fact[] {
  return (review?.reviewers ?? []).map((reviewer) => {
    const text = describeReviewer(reviewer, (words) => joinLines(shorten(words, chars)));
    return ["review", { ...(reviewer.vote === "approve" ? GOOD : BAD), text }];
  });
}

function listCosts({ usage, sandbox }: Report): readonly Fact[] {
  if (usage.length === 0) return [["cost", sandbox && "not reported"]];
  return usage.map((used) => ["cost", describeUsage(used)]);
}

function describeBuilder(report: Report): readonly Fact[] {
  const isolation = describeIsolation(report);
  if (isolation === null) return [];
  return [
    ["builder", isolation],
    ["", report.builder_output_valid === false ? SUMMARY_UNREADABLE : null],
  ];
}
