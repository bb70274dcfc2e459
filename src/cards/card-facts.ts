import { HELD, isSuspicion, OLD_TESTS } from "../records/suspicions.ts";
import type { Attempt, AttemptRule } from "../records/attempts.ts";
import type { Report, VerificationRun } from "../records/report.ts";
import { countNoun, formatDollars, shorten } from "../base/words.ts";
import { BAD, type Fact, GOOD, NEUTRAL, type Canvas, listFacts, measureFactRoom, WARNING } from "../base/canvas.ts";
import { neutralise, neutraliseLines } from "../base/style.ts";
import { formatDuration } from "../base/duration-text.ts";
import { NOT_PUT_BACK } from "../tick/pure/note-beginnings.ts";
import { isGreenRun, nameFindingRule } from "../tick/pure/decisive-words.ts";
import { NOT_KEPT } from "../evidence/pure/unkept-notes.ts";
import { measureDisplayWidth } from "../base/wrap-text.ts";
import {
  describeCheck,
  describeExtraTime,
  describeIsolationShortly,
  describeReviewer,
  describeSettlement,
  describeSize,
  describeTotalUsage,
  isUnbuilt,
  isUnchecked,
  joinLines,
  listDecidingRuns,
  listOwnNotes,
  pickVoteMark,
  SUMMARY_UNREADABLE,
} from "./report-words.ts";
import { renderFailure } from "./failure-text.ts";
import { renderCodeSpan } from "../base/code-span.ts";

/** Several attempts compared: one row each, and what decided. */

const RULES: Readonly<Record<AttemptRule, string>> = {
  checks: "it alone passed everything",
  votes: "more reviewers approve",
  lines: "the smaller change",
  files: "fewer files",
  number: "the earlier of two alike",
};

export function listAttemptFacts({ attempts, code }: Report): readonly Fact[] {
  if (attempts === undefined) return [];
  const { list, chosen, rule } = attempts;
  const cells = list.map(listCells);
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const rows = list.map((attempt, index): Fact => {
    const shown = (cells[index] ?? []).map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const text = shown.filter((_, column) => widths[column] !== 0).join("  ");
    const sign = attempt.number === chosen ? GOOD : attempt.verdict === "success" ? NEUTRAL : BAD;
    return ["", { ...sign, text: text.trimEnd() }];
  });
  if (isRound(list)) return [["tasks", describeRound(list)], ...rows];
  const because = rule === null ? "" : `: ${RULES[rule]}`;
  const words = chosen === null ? "none passed" : `${chosen} is ${code === HELD ? "held" : "kept"}${because}`;
  return [["attempts", `${list.length}, ${words}`], ...rows, ...listWaiting(list)];
}

const isRound = ([first]: readonly Attempt[]): boolean => first?.task_id !== undefined;

function describeRound(list: readonly Attempt[]): string {
  const passed = list.filter(({ verdict }) => verdict === "success").length;
  return `${list.length} side by side, ${passed} passed; the first lands here, each other one in its own tick`;
}

function listCells(attempt: Attempt): readonly string[] {
  const { number, agent, task_id, verdict, code, checks, votes, files, lines, duration_ms, usage } = attempt;
  const cost = usage?.cost_usd ?? null;
  return [
    task_id === undefined ? `${number} ${agent}` : neutralise(task_id),
    verdict === "success" ? "passed" : code,
    `checks ${checks.passed}/${checks.total}`,
    ...(votes === null ? [""] : [`votes ${votes.approved}/${votes.total}`]),
    `${countNoun(lines, "line")} in ${countNoun(files, "file")}`,
    formatDuration(duration_ms),
    ...(cost === null ? [""] : [formatDollars(cost)]),
  ];
}

function listWaiting(list: readonly Attempt[]): readonly Fact[] {
  const saved = list.flatMap(({ salvaged, run_id }) => (salvaged && run_id !== null ? [run_id] : []));
  const branches = list.flatMap(({ branch }) => (branch === undefined ? [] : [neutralise(branch)]));
  return [
    ["", saved.length === 0 ? null : `in salvage: ${saved.join(", ")}; \`relais land RUN\` lands one`],
    ["", branches.length === 0 ? null : `branches: ${branches.join(", ")}; \`relais land BRANCH\` lands one`],
  ];
}

/** The facts of a tick at a glance: one line each, as far as that goes. `relais history show` has all of them. */

const ITEMS = 3;
const CHECKS = 4;
const CHARS = 160;
const LAST_LINES = 4;

export function listCardFacts(report: Report, canvas: Canvas): readonly Fact[] {
  const { code, cause, task, budgets } = report;
  const room = measureFactRoom(canvas);
  return [
    ["task", task && joinLines(shorten(task.intent ?? task.task_id, room))],
    ["try", describeTry(report)],
    ["base", describeBase(report)],
    ["change", describeChange(report)],
    ["", listPaths(report, room)],
    ...listLosses(report),
    ...listFindings(report),
    ...listNotes(report),
    ...listChecks(report),
    ...listAttemptFacts(report),
    ...listReviewers(report),
    describeCost(report),
    ["builder", describeIsolationShortly(report)],
    ["", report.builder_output_valid === false ? SUMMARY_UNREADABLE : null],
    ...budgets.warnings.slice(0, ITEMS).map((warning): Fact => ["budget", neutralise(warning)]),
    ["code", cause === null ? code : `${code} (${neutralise(cause)})`],
  ];
}

/** Null for the first one. */
function describeTry({ repair }: Report): string | null {
  return repair === undefined ? null : `${formatOrdinal(repair.number)}; before it, ${neutralise(repair.failed)}`;
}

/** Null for a commit, as nearly always. */
function describeBase({ uncommitted }: Report): string | null {
  return uncommitted === undefined ? null : `HEAD and ${countNoun(uncommitted, "uncommitted file")} of yours`;
}

function formatOrdinal(number: number): string {
  return `${number}${["th", "st", "nd", "rd"][number] ?? "th"}`;
}

const cutNote = (note: string): string => joinLines(shorten(note, CHARS));

function listNotes(report: Report): readonly Fact[] {
  const own = listOwnNotes(report);
  if (own.length === 0) return [];
  const total = own.length + report.notes_total - report.notes.length;
  return listFacts("notes", own.map(cutNote), { max: ITEMS, total });
}

/** Null for a tick that never began to work; the headline says why. */
function describeChange(report: Report): string | null {
  const { code, pointers, settle, blast_radius } = report;
  if (code === "BLOCKED_ROLLBACK_FAILED") return "NOT restored exactly";
  if (!hasBegun(report)) return null;
  const size = describeSize(report);
  if (size !== null && blast_radius.files_touched === 0) return "no change";
  const settled = settle?.action === "accept" ? "not committed" : describeSettlement(report, neutralise);
  const saved = pointers.salvage === undefined ? settled : `${settled}, kept in salvage`;
  return size === null ? saved : `${size.replace(/, 0 new$/u, "")}; ${saved}`;
}

function hasBegun(report: Report): boolean {
  return (report.settle !== null || report.isolation !== null) && !isUnbuilt(report);
}

/** As many names as fit into one line; null if the first one does not. */
function listPaths({ scope: { touched_paths, touched_paths_total } }: Report, room: number): string | null {
  const names = touched_paths.map(neutralise);
  for (let count = Math.min(names.length, ITEMS); count > 0; count -= 1) {
    const rest = touched_paths_total - count;
    const text = `${names.slice(0, count).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    if (measureDisplayWidth(text) <= room) return text;
  }
  return null;
}

/** What a failed rollback left different, and what is not in salvage. */
function listLosses({ notes }: Report): readonly Fact[] {
  const losses = [
    ["", NOT_PUT_BACK],
    ["salvage", NOT_KEPT],
  ] as const;
  return losses.flatMap(([label, beginning]) =>
    notes
      .filter((note) => note.startsWith(beginning))
      .slice(0, ITEMS)
      .map((note): Fact => [label, { ...BAD, text: cutNote(note) }]),
  );
}

/** The failure of a session and a missing change are in the headline. */
function listFindings({ findings, findings_total }: Report): readonly Fact[] {
  const own = findings.filter(({ gate, code }) => gate !== "builder-failure" && code !== "STOP_NO_CHANGE");
  if (own.length === 0) return [];
  const texts = own.slice(0, ITEMS).map((finding) => {
    const rule = nameFindingRule({ ...finding, rule: shorten(finding.rule, CHARS) });
    return { ...BAD, text: `${neutralise(shorten(finding.subject, CHARS))}: ${neutralise(rule)}` };
  });
  return [...listFacts("findings", texts, { max: ITEMS, total: findings_total }), ...listAskedTests(findings)];
}

/** The changed tests that a person is asked about. */
export function listAskedTests(findings: Report["findings"]): readonly Fact[] {
  const asked = findings.find((finding) => finding.gate === OLD_TESTS && isSuspicion(finding));
  const lines = asked?.quote?.split("\n") ?? [];
  return lines.map((line, index): Fact => {
    const tone = line.startsWith("+") ? "good" : line.startsWith("-") ? "bad" : "faint";
    return [index === 0 ? "tests" : "", { mark: "│", tone, text: neutralise(line.replaceAll("\t", "    ")) }];
  });
}

function listChecks(report: Report): readonly Fact[] {
  const { runs, runs_total } = listDecidingRuns(report);
  if (isUnchecked(report))
    return [["checks", { ...WARNING, text: "none; name them in `verification.templates`" }], nameLeftOut(report)];
  const red = runs.filter((run) => !isGreenRun(run));
  const old = runs.filter((run) => isGreenRun(run) && run.oracle !== undefined);
  const green = runs.filter((run) => isGreenRun(run) && run.oracle === undefined);
  return [
    describeGreen(green, runs_total - red.length - old.length),
    describeGreen(old, old.length),
    ...red.flatMap((run): Fact[] => [
      ["checks", { ...BAD, text: describeCheck(run, neutralise) }],
      ...(run.last_lines ?? []).slice(-LAST_LINES).map((line): Fact => {
        return ["checks", { mark: "│", tone: "faint", text: neutralise(shorten(line, CHARS)) }];
      }),
    ]),
    nameLeftOut(report),
    ["checks", describeExtraTime(report)],
  ];
}

/** Only a person's own option or task can do that. */
export function nameLeftOut({ verification: { left_out: ids = [] } }: Report): Fact {
  const text = `required, and left out by you: ${ids.map(neutralise).join(", ")}`;
  return ["checks", ids.length === 0 ? null : { ...WARNING, text }];
}

/** A few by name, many by their number. */
function describeGreen(green: readonly VerificationRun[], total: number): Fact {
  const [first] = green;
  if (first === undefined) return ["checks", null];
  const texts = green.map((run) => describeCheck(run, neutralise));
  const comma = texts.some((text) => text.includes(",")) ? "; " : ", ";
  if (total <= CHECKS) return ["checks", { ...GOOD, text: texts.join(comma) }];
  const took = formatDuration(green.reduce((sum, { duration_ms }) => sum + duration_ms, 0));
  const old = first.oracle === undefined ? "" : ", with the old tests";
  return ["checks", { ...GOOD, text: `${countNoun(total, "check")} passed, ${took}${old}` }];
}

function listReviewers({ review, workflow }: Report): readonly Fact[] {
  return (review?.reviewers ?? []).map((reviewer) => {
    const text = describeReviewer(reviewer, (words) => joinLines(shorten(words, CHARS)));
    return ["review", { ...pickVoteMark(reviewer, workflow), text }];
  });
}

function describeCost({ usage, sandbox, duration_ms }: Report): Fact {
  const time = formatDuration(duration_ms);
  const amount = describeTotalUsage(usage) ?? (sandbox === null && usage.length === 0 ? null : "not reported");
  return amount === null ? ["time", time] : ["cost", `${amount}; ${time}`];
}

interface ShownConflict {
  readonly name: string;
  readonly paths: readonly string[];
  readonly text: string;
  readonly again?: string | null;
}

const PATHS_SHOWN = 20;

/** Names the paths, and shows both sides with `--verbose`. */
export function renderLandingConflict(
  { name, paths, text, again = null }: ShownConflict,
  { detail, prose }: { readonly detail: "quiet" | "usual" | "all"; readonly prose: Canvas },
): string {
  const message = `${name} conflicts with what is here now; nothing was changed.`;
  const rest = paths.length > PATHS_SHOWN ? [`and ${paths.length - PATHS_SHOWN} more`] : [];
  const next =
    again === null
      ? "Next: solve it on a branch of your own and land that, or let an agent do it again from here."
      : describeReturn(again);
  const card = renderFailure({ code: null, message, problems: [...paths.slice(0, PATHS_SHOWN), ...rest], next }, prose);
  return detail === "all" ? `${card}${neutraliseLines(text)}\n` : card;
}

function describeReturn(again: string): string {
  return `It goes back as the job ${again}, with the reason as context. Next: relais worker --once`;
}

/** Below the card of a landing that a check stopped. */
export function renderReturned(again: string): string {
  return `${describeReturn(again)}\n`;
}

const WORDS = {
  landed: "landed",
  already: "there already",
  stopped: "stopped by a rule or a check",
  conflict: "in conflict",
  refused: "not tried",
} as const;

export type LandingOutcome = keyof typeof WORDS;

interface NamedOutcome {
  readonly name: string;
  readonly outcome: LandingOutcome;
}

/** One line about several landings. */
export function renderLandings(outcomes: readonly NamedOutcome[]): string {
  const parts = (["landed", "already", "stopped", "conflict", "refused"] as const).flatMap((outcome) => {
    const names = outcomes.filter((one) => one.outcome === outcome).map(({ name }) => neutralise(name));
    return names.length === 0 ? [] : [`${names.length} ${WORDS[outcome]} (${names.join(", ")})`];
  });
  return `Of ${countNoun(outcomes.length, "change")}: ${parts.join("; ")}.\n`;
}

/** The sizes of prompts in words. What a service reads from its cache, relais cannot know: only what could be read. */

type Prompt = NonNullable<Report["prompts"]>[number];

/** On one line; null if there was no session. */
export function describePrompts({ prompts = [] }: Report): string | null {
  return prompts.length === 0 ? null : prompts.map(describePrompt).join("; ");
}

function describePrompt(prompt: Prompt): string {
  const { role, name, bytes, shared_bytes: shared } = prompt;
  const size = `${name ?? role} ${formatBytes(bytes)}`;
  return shared === null ? size : `${size}, ${computePercent(shared, bytes)} % as before`;
}

/** For REPORT.md. */
export function listPromptItems({ prompts = [] }: Report): readonly string[] {
  return prompts.map((prompt) => {
    const sections = Object.entries(prompt.sections).map(([title, bytes]) => `${renderCodeSpan(title)} ${bytes}`);
    return `${describeWhole(prompt)}. Bytes by section: ${sections.join(", ")}`;
  });
}

function describeWhole({ role, name, bytes, shared_bytes: shared }: Prompt): string {
  const size = `${name === undefined ? role : `${role} ${name}`}: ${bytes} bytes`;
  if (shared === null) return `${size}, the first one`;
  return `${size}, of which the first ${shared} (${computePercent(shared, bytes)} %) are those of the prompt before`;
}

/** Never more than there is: 99.9 % is not the whole. */
const computePercent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.floor((part / whole) * 100));

const formatBytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
