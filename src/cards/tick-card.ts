/** The card after a tick: the result, the agent's words, the change, the checks, the cost and the next command. */
import type { Report, VerificationRun } from "../records/report.ts";
import { findOpenTurnOfReport } from "../tick/pure/turns.ts";
import { NOT_PUT_BACK } from "../tick/pure/note-beginnings.ts";
import { isGreenRun, nameFindingRule } from "../tick/pure/decisive-words.ts";
import { shorten } from "../base/words.ts";
import { NOT_KEPT } from "../evidence/pure/unkept-notes.ts";
import {
  BAD,
  type Canvas,
  type Fact,
  GOOD,
  listFacts,
  measureWidth,
  renderParagraph,
  renderQuotation,
} from "../base/canvas.ts";
import { formatDuration } from "../base/duration-text.ts";
import { neutralise } from "../base/style.ts";
import { wrapText } from "../base/wrap-text.ts";
import { describePrompts, listAskedTests, listAttemptFacts, listCardFacts, nameLeftOut } from "./card-facts.ts";
import { renderCard } from "./card.ts";
import { findRemedy, pickNextStep, renderLaterSteps, renderNextSteps } from "./next-steps.ts";
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
  findAgentWords,
  joinLines,
  listDecidingRuns,
  pickVerdictMark,
  pickVoteMark,
  SUMMARY_UNREADABLE,
  writeQuestion,
} from "./report-words.ts";
import { renderHeadlineReason, renderTickWord } from "./tick-headline.ts";

/** How much is shown: a glance after a tick, that with every detail, a page about one tick, or all there is. */
const DETAIL = {
  card: { items: 3, checks: 6, chars: 160, messageChars: 600 },
  verbose: { items: 20, checks: 20, chars: 2000, messageChars: 2000 },
  page: { items: 20, checks: 20, chars: 2000, messageChars: 2000 },
  all: { items: Infinity, checks: Infinity, chars: Infinity, messageChars: Infinity },
} as const;
type Extent = keyof typeof DETAIL;
type Detail = (typeof DETAIL)[Extent];

const STEPS = {
  card: pickNextStep,
  verbose: renderNextSteps,
  page: renderLaterSteps,
  all: renderLaterSteps,
} as const satisfies Record<Extent, unknown>;

/** The command alone is the whole advice. */
const IS_SAID_BY_STEP: readonly Report["code"][] = ["SUCCESS", "STOP_QUESTION", "STOP_SUSPECT"];

interface CardOptions extends Canvas {
  readonly extent?: Extent;
  /** Further facts below those of the report. */
  readonly more?: readonly Fact[];
}

export function renderTickCard(report: Report, { style, columns, extent = "card", more = [] }: CardOptions): string {
  const canvas = { style, columns };
  const reason = renderHeadlineReason(report);
  const word = renderTickWord(report);
  const facts = extent === "card" ? listCardFacts(report, canvas) : listTickFacts(report, DETAIL[extent]);
  return renderCard(
    {
      ...pickVerdictMark({ code: report.code, turn: findOpenTurnOfReport(report) }),
      word: reason === null ? word : `${word}:`,
      title: reason ?? "",
      why: explainEnd(report, extent, canvas),
      facts: [...facts, ...more],
      // In the history, an accepted change may be decided already.
      advice: IS_SAID_BY_STEP.includes(report.code) ? null : findRemedy(report),
      next: STEPS[extent](report),
      isShort: extent === "card",
    },
    canvas,
  );
}

/** The meaning of the code unless the headline says it, the message, and the agent's own words. */
function explainEnd(report: Report, extent: Extent, canvas: Canvas): readonly string[] {
  const isCard = extent === "card";
  const isSaid = renderHeadlineReason(report) !== null || findOpenTurnOfReport(report) !== null;
  const meaning = isSaid || (isCard && report.code === "SUCCESS") ? [] : renderParagraph(describeEnd(report), canvas);
  // Nobody can answer half a question.
  const charsMax = report.question === null ? DETAIL[extent].messageChars : Infinity;
  const said = shorten(findMessage(report, isCard), charsMax);
  const words = isCard ? findAgentWords(report) : null;
  const isQuoted = words !== null && !isRepeated(joinLines(said), joinLines(words));
  return [...meaning, ...renderQuotation(said, canvas), ...(isQuoted ? quoteAgent(words, canvas) : [])];
}

/** The message of a failed session, or of one without a change, is often the agent's own words. */
function isRepeated(message: string, words: string): boolean {
  return message !== "" && (message.startsWith(words) || words.startsWith(message));
}

/** A question is the message; on a card the reviewers stand below, each with its words. */
function findMessage({ code, review, question, message }: Report, isCard: boolean): string {
  if (question !== null) return writeQuestion(question);
  return isCard && code === "STOP_REVIEW_REFUSED" && review !== null ? "" : (message ?? "");
}

const WORDS_LINES = 2;

/** The beginning of the agent's words, in two lines at most. */
function quoteAgent(words: string, canvas: Canvas): readonly string[] {
  const lines = wrapText(joinLines(words), measureWidth(canvas) - 4);
  const shown = lines.slice(0, WORDS_LINES).join(" ");
  return renderQuotation(lines.length > WORDS_LINES ? `${shown} …` : shown, canvas);
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
    ...listAskedTests(report.findings),
    ...listChecks(report, detail),
    ...listAttemptFacts(report),
    ...listReviewers(report, detail),
    ...listCosts(report),
    ["prompts", describePrompts(report)],
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

function listFindings({ findings, findings_total }: Report, { items, chars }: Detail): readonly Fact[] {
  const marked = findings.slice(0, items).map((finding) => {
    const rule = nameFindingRule({ ...finding, rule: shorten(finding.rule, chars) });
    const words = `${neutralise(shorten(finding.subject, chars))}: ${neutralise(rule)}`;
    return { ...BAD, text: `${words} ${finding.code}` };
  });
  return listFacts("findings", marked, { max: items, total: findings_total });
}

function listChecks(report: Report, detail: Detail): readonly Fact[] {
  const { runs, runs_total } = listDecidingRuns(report);
  // What failed is last, and it is what a person looks for.
  const shown = runs.length > detail.checks ? [...runs.slice(0, detail.checks - 1), ...runs.slice(-1)] : runs;
  const texts = shown.flatMap((run) => [describeRun(run), ...listLastLines(run, detail)]);
  const total = texts.length + runs_total - shown.length;
  return [
    ...listFacts("checks", texts, { max: Infinity, total }),
    nameLeftOut(report),
    ["checks", describeExtraTime(report)],
  ];
}

function describeRun(run: VerificationRun) {
  const argv = `: ${neutralise([run.cmd, ...run.args].join(" "))}`;
  return { ...(isGreenRun(run) ? GOOD : BAD), text: `${describeCheck(run, neutralise)}${argv}` };
}

function listLastLines({ last_lines = [] }: VerificationRun, { chars }: Detail) {
  return last_lines.map((line) => ({ mark: "│", tone: "faint", text: neutralise(shorten(line, chars)) }) as const);
}

function listReviewers({ review, workflow }: Report, { chars }: Detail): readonly Fact[] {
  return (review?.reviewers ?? []).map((reviewer) => {
    const text = describeReviewer(reviewer, (words) => joinLines(shorten(words, chars)));
    return ["review", { ...pickVoteMark(reviewer, workflow), text }];
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
