/** The card after a tick: the result, the reason, the size of the change, and the next commands. */
import type { Finding } from "../../contract/evidence/judgement.ts";
import type { Report, VerificationRun } from "../../contract/documents/report.ts";
import { nameFindingRule, isGreenRun } from "../../core/words/decisive-words.ts";
import { shorten } from "../../core/words/shorten.ts";
import { BUILDER_SAYS, NOT_PUT_BACK } from "../../core/tick/report.ts";
import { NOT_KEPT } from "../../core/words/unkept-notes.ts";
import { type Canvas, renderLabelled, renderMarked, renderParagraph, renderQuotation } from "../text/canvas.ts";
import { renderCard } from "./card.ts";
import { formatDuration } from "../text/duration-text.ts";
import { neutralise } from "../text/neutralise.ts";
import { describeCause } from "../../core/words/cause-words.ts";
import { renderLaterSteps, renderNextSteps, findRemedy } from "./next-steps.ts";
import { renderHeadlineReason, renderTickWord } from "./tick-headline.ts";
import {
  checkWords,
  describeIsolation,
  describeLargest,
  joinLines,
  describeOutside,
  describeReviewer,
  describeSettlement,
  describeSize,
  describeUsage,
  pickVerdictMark,
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
  readonly detail?: keyof typeof DETAIL;
  /** Further lines that stand below the facts. */
  readonly more?: readonly string[];
}

/** A canvas together with how much to put on it. */
type Sheet = Canvas & Detail;

export function renderTickCard(report: Report, options: CardOptions): string {
  const { style, columns, detail = "card", more: further = [] } = options;
  const sheet = { style, columns, ...DETAIL[detail] };
  // In the history, an accepted change may be decided already.
  const remedy = detail === "card" || report.code !== "SUCCESS" ? findRemedy(report) : null;
  return renderCard(
    {
      ...headline(report),
      why: why(report, sheet),
      facts: [...facts(report, sheet), ...further],
      advice: remedy,
      next: detail === "card" ? renderNextSteps(report) : renderLaterSteps(report),
    },
    sheet,
  );
}

function headline(report: Report) {
  const { mark, tone } = pickVerdictMark(report);
  const [word, reason] = [renderTickWord(report), renderHeadlineReason(report)];
  return { mark, tone, word: reason === null ? word : `${word}:`, title: reason ?? "" } as const;
}

/** The meaning of the code, unless the headline has the reason, and the message. */
function why(report: Report, sheet: Sheet): readonly string[] {
  const { code, cause, message, question } = report;
  const said = renderHeadlineReason(report) === null ? renderParagraph(describeCause(code, cause).meaning, sheet) : [];
  if (question !== null) {
    const choices = question.choices.map((choice, index) => `${index + 1}. ${choice}`);
    return [...said, ...renderQuotation([question.prompt, ...choices].join("\n"), sheet)];
  }
  return message === null ? said : [...said, ...renderQuotation(shorten(message, sheet.messageChars), sheet)];
}

function facts(report: Report, sheet: Sheet): readonly string[] {
  const warnings = report.budgets.warnings.slice(0, sheet.items);
  return [
    ...(report.task === null ? [] : renderLabelled("task", taskWords(report.task, sheet), sheet)),
    ...(report.retry_at === undefined
      ? []
      : renderLabelled("again", `from ${report.retry_at} on; the service refuses until then`, sheet)),
    ...renderLabelled("change", changeWords(report), sheet),
    ...extent(report, sheet),
    ...remains(report, sheet),
    ...findings(report, sheet),
    ...(sheet.isFull ? [] : noticed(report, sheet)),
    ...checks(report, sheet),
    ...reviewers(report, sheet),
    ...cost(report, sheet),
    ...builder(report, sheet),
    ...salvaged(report, sheet),
    ...warnings.flatMap((warning) => renderLabelled("budget", neutralise(warning), sheet)),
    ...renderLabelled("time", formatDuration(report.duration_ms), sheet),
    ...renderLabelled("code", codeWords(report), sheet),
  ];
}

/** The code, for scripts and `relais explain`, with its cause. */
function codeWords({ code, cause }: Report): string {
  return cause === null ? code : `${code} (${neutralise(cause)})`;
}

function taskWords({ task_id, intent }: NonNullable<Report["task"]>, { chars }: Sheet): string {
  return joinLines(shorten(intent === null ? task_id : `${task_id}: ${intent}`, chars));
}

function changeWords(report: Report): string {
  const size = describeSize(report);
  const settled = describeSettlement(report, neutralise);
  return size === null ? settled : `${size}; ${settled}`;
}

/** The largest file, and the number of paths outside the allowed ones. */
function extent(report: Report, sheet: Sheet): readonly string[] {
  const largest = describeLargest(report, (path) => neutralise(shorten(path, sheet.chars)));
  const outside = describeOutside(report);
  return [
    ...(largest === null ? [] : renderLabelled("", largest, sheet)),
    ...(outside === null ? [] : renderMarked("", { mark: "✗", tone: "bad", text: outside }, sheet)),
  ];
}

/** What a failed rollback left different. */
function remains({ notes }: Report, sheet: Sheet): readonly string[] {
  const left = notes.filter((note) => note.startsWith(NOT_PUT_BACK));
  return left
    .slice(0, sheet.items)
    .flatMap((note) =>
      renderMarked("", { mark: "✗", tone: "bad", text: neutralise(shorten(note, sheet.chars)) }, sheet),
    );
}

/** Where the reverted change is saved, and which parts are not. */
function salvaged({ pointers: { salvage }, notes }: Report, sheet: Sheet): readonly string[] {
  const unkept = notes.filter((note) => note.startsWith(NOT_KEPT));
  return [
    ...(salvage === undefined ? [] : renderLabelled("salvage", `the change is saved as ${salvage}`, sheet)),
    ...unkept.flatMap((note, index) => {
      const text = joinLines(shorten(note, sheet.chars));
      return renderMarked(
        salvage === undefined && index === 0 ? "salvage" : "",
        { mark: "✗", tone: "bad", text },
        sheet,
      );
    }),
  ];
}

/** Notes of the runner, such as changed tests. `relais history show` lists all notes itself. */
function noticed({ notes: all, notes_total }: Report, sheet: Sheet): readonly string[] {
  const said = [NOT_PUT_BACK, NOT_KEPT, BUILDER_SAYS];
  const own = all.filter((note) => !said.some((beginning) => note.startsWith(beginning)));
  const shown = own.slice(0, sheet.items);
  const hidden = own.length - shown.length + (notes_total - all.length);
  return [
    ...shown.flatMap((note, index) =>
      renderLabelled(index === 0 ? "notes" : "", joinLines(shorten(note, sheet.chars)), sheet),
    ),
    ...more(shown.length === 0 ? 0 : hidden, sheet),
  ];
}

function findings({ findings: list, findings_total }: Report, sheet: Sheet): readonly string[] {
  const shown = list.slice(0, sheet.items);
  return [
    ...shown.flatMap((finding, index) => {
      const text = findingWords(finding, sheet);
      return renderMarked(index === 0 ? "findings" : "", { mark: "✗", tone: "bad", text }, sheet);
    }),
    ...more(findings_total - shown.length, sheet),
  ];
}

function findingWords(finding: Finding, { chars, isFull }: Sheet): string {
  const rule = nameFindingRule({ ...finding, rule: shorten(finding.rule, chars) });
  const words = `${neutralise(shorten(finding.subject, chars))}: ${neutralise(rule)}`;
  return isFull ? `${words} ${finding.code}` : words;
}

function checks({ verification: { runs, runs_total } }: Report, sheet: Sheet): readonly string[] {
  // What failed is last, and it is what a person looks for.
  const shown = runs.length > sheet.checks ? [...runs.slice(0, sheet.checks - 1), ...runs.slice(-1)] : [...runs];
  return [
    ...shown.flatMap((run, index) => [
      ...renderMarked(index === 0 ? "checks" : "", checkMark(run, sheet), sheet),
      ...saidLast(run, sheet),
    ]),
    ...more(runs_total - shown.length, sheet),
  ];
}

/** What a red check printed last; at a glance only its end. */
function saidLast({ last_lines = [] }: VerificationRun, sheet: Sheet): readonly string[] {
  const lines = sheet.isFull ? last_lines : last_lines.slice(-LAST_LINES);
  return lines.flatMap((line) =>
    renderMarked("", { mark: "│", tone: "faint", text: neutralise(shorten(line, sheet.chars)) }, sheet),
  );
}

function checkMark(run: VerificationRun, { isFull }: Sheet) {
  const argv = isFull ? `: ${neutralise([run.cmd, ...run.args].join(" "))}` : "";
  const text = `${checkWords(run, neutralise)}${argv}`;
  return isGreenRun(run) ? ({ mark: "✓", tone: "good", text } as const) : ({ mark: "✗", tone: "bad", text } as const);
}

function reviewers({ review }: Report, sheet: Sheet): readonly string[] {
  if (review === null) return [];
  const dress = (text: string): string => joinLines(shorten(text, sheet.chars));
  return review.reviewers.flatMap((reviewer, index) => {
    const text = describeReviewer(reviewer, dress);
    const isGood = reviewer.vote === "approve";
    const sign = isGood ? ({ mark: "✓", tone: "good" } as const) : ({ mark: "✗", tone: "bad" } as const);
    return renderMarked(index === 0 ? "review" : "", { ...sign, text }, sheet);
  });
}

function cost({ usage, sandbox }: Report, sheet: Sheet): readonly string[] {
  if (usage.length === 0) return sandbox === null ? [] : renderLabelled("cost", "not reported", sheet);
  return usage.flatMap((used) => renderLabelled("cost", describeUsage(used), sheet));
}

function builder(report: Report, sheet: Sheet): readonly string[] {
  const isolation = describeIsolation(report);
  if (isolation === null) return [];
  const broken = "The agent's summary was unreadable; the change was checked anyway";
  return [
    ...renderLabelled("builder", isolation, sheet),
    ...(report.builder_output_valid === false ? renderLabelled("", broken, sheet) : []),
  ];
}

function more(hidden: number, sheet: Sheet): readonly string[] {
  return hidden > 0 ? renderLabelled("", `and ${hidden} more`, sheet) : [];
}
