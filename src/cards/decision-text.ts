import { countNoun, shorten } from "../base/words.ts";
import type {
  AcceptedChange,
  AnsweredQuestion,
  AppliedWork,
  OpenedMilestone,
  UndoneChange,
  AskedChange,
  PrunedHistory,
} from "../records/decisions.ts";
import {
  type Canvas,
  type Fact,
  GOOD,
  makeStep,
  type NextStep,
  BAD,
  QUESTION,
  renderQuotation,
  WARNING,
  listFacts,
  renderFacts,
  renderParagraph,
  VERBOSE_HINT,
} from "../base/canvas.ts";
import { renderCard } from "./card.ts";
import { neutralise } from "../base/style.ts";
import { listOpenSeriesSteps } from "./open-series-text.ts";
import { joinLines } from "./report-words.ts";
import { isGreenRun } from "../tick/pure/decisive-words.ts";
import { renderPatchLines } from "./judgement-text.ts";
import { formatLocalMoment } from "../base/duration-text.ts";

/** The cards of `accept`, `undo`, `salvage apply` and `answer`. */

const CHECK_TREE = makeStep("git status", "check the working tree");

export function renderAccepted(view: AcceptedChange, canvas: Canvas): string {
  const { runId, commit, branch, files, notes } = view;
  const id = commit.slice(0, 12);
  const facts: readonly Fact[] = [
    ["branch", neutralise(branch)],
    ["change", `${countNoun(files, "file")} of ${runId}`],
    ...notes.map((note): Fact => ["note", neutralise(note)]),
  ];
  const next = [makeStep(`git show ${id}`, "show the commit"), makeStep("relais undo", "remove the commit again")];
  return renderCard({ ...GOOD, title: `Committed ${id}`, facts, next }, canvas);
}

export function renderUndone(view: UndoneChange, canvas: Canvas): string {
  const { runId, commit, beganOn, paths, besides, notBack } = view;
  const branch = neutralise(view.branch ?? "");
  const before = beganOn === null ? null : neutralise(beganOn);
  const facts: readonly Fact[] = [
    ["change", `${countNoun(paths.length, "file")} of ${runId}`],
    ["also", besides.length === 0 ? null : countNoun(besides.length, "uncommitted file")],
    ...notBack.map((path): Fact => ["not undone", neutralise(path)]),
    ["commit", commit && `${commit.slice(0, 12)} removed from ${branch}`],
    ["branch", before && `you are on ${branch}, created by relais; the tick started on ${before}`],
  ];
  const next = [...(before === null ? [] : leaveBranch(branch, before)), CHECK_TREE];
  return renderCard({ ...GOOD, title: "Undone", facts, next }, canvas);
}

function leaveBranch(branch: string, before: string): readonly NextStep[] {
  return [
    makeStep(`git switch ${before}`, "return to your branch"),
    makeStep(`git branch -d ${branch}`, "delete the empty branch"),
  ];
}

export function renderApplied({ runId, paths, leftOut }: AppliedWork, canvas: Canvas): string {
  const without = leftOut === 0 ? "" : `; ${leftOut} not saved`;
  const title = "Restored to the working tree, not judged and not committed";
  const facts: readonly Fact[] = [["change", `${countNoun(paths.length, "file")} of ${runId}${without}`]];
  const next = [makeStep("git diff", "show the change"), makeStep("relais judge", "check it against the rules")];
  return renderCard({ ...GOOD, title, facts, next }, canvas);
}

export function renderMilestone({ milestoneId, closed, spent }: OpenedMilestone, canvas: Canvas): string {
  const facts: readonly Fact[] = [
    ["closed", closed === null ? "a milestone without a name" : neutralise(closed)],
    ["it spent", `${countNoun(spent.ticks, "tick")}, ${countNoun(spent.builder_calls, "builder session")}`],
    ["name", milestoneId === null ? "that of the next task" : neutralise(milestoneId)],
  ];
  const next = [makeStep("relais run", "run one tick"), makeStep("relais status", "show the budget")];
  return renderCard({ ...GOOD, title: "Opened the next milestone", facts, next }, canvas);
}

export function renderAnswered(view: AnsweredQuestion, canvas: Canvas): string {
  const { runId, question, answer, choice, again, series, branch } = view;
  const chosen = choice === null ? "" : ` (choice ${choice})`;
  const title = answer === null ? "Dropped" : "Answered";
  const facts: readonly Fact[] = [
    ["question", `${joinLines(question)} (${runId})`],
    ["answer", answer && `${joinLines(answer)}${chosen}`],
  ];
  const why = answer === null ? "run one tick" : "run one tick with this answer";
  const run = again === undefined ? makeStep("relais run", why) : sayAgain(again, answer !== null);
  const next = series.length === 0 ? [run] : listOpenSeriesSteps(series, branch);
  return renderCard({ ...GOOD, title, facts, next }, canvas);
}

/** What means something else between double quotes. */
const FOR_A_SHELL = /["$`\\!]/u;

/** The builder of the next task of a person is told the answer. */
export function sayAgain(sentence: string | null, isAnswered: boolean): NextStep {
  const words = sentence === null || FOR_A_SHELL.test(sentence) ? "..." : neutralise(sentence);
  return makeStep(`relais run "${words}"`, isAnswered ? "the same task, with your answer" : "say it otherwise");
}

/** A change that waits for a person's decision. */

const PATHS_SHOWN = 6;
const WORDS_CHARS = 300;

export function renderAskedChange(asked: AskedChange, canvas: Canvas): string {
  const { runId, intent, summary, change, until, isCommitted } = asked;
  const { files_touched, lines_added, lines_deleted, new_files } = change;
  const fresh = new_files === 0 ? "" : `, ${new_files} new`;
  const facts: readonly Fact[] = [
    ["task", intent && joinLines(shorten(intent, WORDS_CHARS))],
    ["change", `${countNoun(files_touched, "file")}${fresh}, +${lines_added}/-${lines_deleted}`],
    ...listPaths(asked),
    ...listChecks(asked),
    ["review", asked.approvals === 0 ? null : { ...GOOD, text: `${asked.approvals} approved` }],
    ["waits", `until ${formatLocalMoment(until, null)}; then it is reverted and kept in salvage`],
  ];
  return renderCard(
    {
      ...QUESTION,
      title: isCommitted ? "Commit this change?" : "Keep this change?",
      why: summary === null ? [] : renderQuotation(shorten(joinLines(summary), WORDS_CHARS), canvas),
      facts,
      advice: "From another terminal:",
      next: [
        makeStep(`relais accept ${runId}`, isCommitted ? "commit it" : "keep it"),
        makeStep(`relais reject ${runId} --reason "..."`, "revert it, and say why"),
      ],
    },
    canvas,
  );
}

/** The keys of the person at this terminal. */
export const ASK_KEYS = "a accept · r reject · e edit · d diff";

export function renderAskedPatch(patch: string, canvas: Canvas): string {
  return `${renderPatchLines(patch, { style: canvas.style, isWhole: true }).join("\n")}\n`;
}

function listPaths({ paths, pathsTotal }: AskedChange): readonly Fact[] {
  const hidden = pathsTotal - Math.min(paths.length, PATHS_SHOWN);
  return [
    ...paths.slice(0, PATHS_SHOWN).map((path): Fact => ["", neutralise(path)]),
    ["", hidden > 0 ? `and ${hidden} more` : null],
  ];
}

function listChecks({ runs, code }: AskedChange): readonly Fact[] {
  if (runs.length === 0) return [["checks", { ...WARNING, text: "none" }]];
  const red = runs.filter((run) => !isGreenRun(run));
  if (red.length === 0 && code === "SUCCESS")
    return [["checks", { ...GOOD, text: `${countNoun(runs.length, "check")} passed` }]];
  const failed = red.map(({ template_id }) => neutralise(template_id)).join(", ");
  return [["checks", { ...BAD, text: failed === "" ? code : `failed: ${failed}` }]];
}

/** The result of `relais history prune`: deleted folders, kept folders, remaining size. */

interface PruneOptions extends Canvas {
  /** Whether long lists are shown to their end. */
  readonly isWhole: boolean;
}

const SHOWN = 20;
const MEGABYTE = 1024 * 1024;
/** Less is shown as nothing. */
const TOLD_BYTES_MIN = MEGABYTE / 10;

export function renderPruned(view: PrunedHistory, options: PruneOptions): string {
  const list = (label: string, texts: readonly string[]) => {
    const marked = texts.map((text) => ({ mark: "-", tone: "faint", text: neutralise(text) }) as const);
    return listFacts(label, marked, { max: options.isWhole ? Infinity : SHOWN, hint: VERBOSE_HINT });
  };
  const facts = [
    ...list(
      "removed",
      view.removed.map(({ runId, bytes }) => `${runId}, ${formatMegabytes(bytes)}`),
    ),
    ...list(
      "kept",
      view.held.map(({ runId, reason }) => `${runId}: ${reason}`),
    ),
  ];
  const lines = [
    ...renderParagraph(summarise(view), options),
    ...renderFacts(facts, options),
    ...(view.bytesAfter <= view.bytesMax ? [] : renderParagraph(describeStillLarge(view), options)),
    ...(view.privateBytes < TOLD_BYTES_MIN ? [] : renderParagraph(describeStateDirectory(view), options)),
  ];
  return `${lines.join("\n")}\n`;
}

function summarise({ isDryRun, removed, bytesBefore, bytesAfter }: PrunedHistory): string {
  if (removed.length === 0) return `Nothing to delete: the history has ${formatMegabytes(bytesBefore)}.`;
  const freed = formatMegabytes(bytesBefore - bytesAfter);
  const left = `${formatMegabytes(bytesAfter)} ${isDryRun ? "would remain" : "remain"}`;
  const what = `${countNoun(removed.length, "folder")}, ${freed}`;
  return isDryRun ? `Would delete ${what}; ${left}.` : `Deleted ${what}; ${left}.`;
}

function describeStillLarge({ bytesMax }: PrunedHistory): string {
  return `Still larger than history.max_mb (${formatMegabytes(bytesMax)}): run \`relais history prune\` without options, settle the kept ticks (\`relais status\`), or raise history.max_mb.`;
}

/** The size of the state directory; shown only where it is worth mentioning. */
function describeStateDirectory({ isDryRun, privateBytes }: PrunedHistory): string {
  return `Also ${isDryRun ? "would free" : "freed"} ${formatMegabytes(privateBytes)} in the state directory.`;
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
