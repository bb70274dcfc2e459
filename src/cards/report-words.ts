/** The facts of a report in words, the same ones on the terminal and in REPORT.md. */
import { CODES } from "../base/codes.ts";
import { unreachable } from "../base/errors.ts";
import type { Report, VerificationRun } from "../records/report.ts";
import { HELD } from "../records/suspicions.ts";
import { BUILDER_SAYS, NOT_PUT_BACK } from "../tick/pure/note-beginnings.ts";
import { findOpenTurnOfReport } from "../tick/pure/turns.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { NOT_KEPT } from "../evidence/pure/unkept-notes.ts";
import { describeBlastRadius } from "../judge/pure/blast-radius.ts";
import { isGreenRun, describeRedCheck } from "../tick/pure/decisive-words.ts";
import { countNoun, formatDollars, formatDollarSum } from "../base/words.ts";
import { BAD, GOOD, NEUTRAL, PENDING, QUESTION, type Sign } from "../base/canvas.ts";
import { formatDuration } from "../base/duration-text.ts";
import { neutralise } from "../base/style.ts";

/** The code of a tick, and the words of a turn that leads to the next one; absent or null for every other tick. */
interface EndOfTick extends Pick<Report, "code"> {
  readonly turn?: string | null;
}

/** Escapes untrusted text for its place. */
type Dress = (untrusted: string) => string;

/** The mark of a verdict; a question, a wait and a turn that leads to the next one are no failures. */
export function pickVerdictMark({ code, turn = null }: EndOfTick): Sign {
  if (turn !== null) return NEUTRAL;
  if (code === "STOP_QUESTION" || code === HELD) return QUESTION;
  if (code === "STOP_RATE_LIMITED") return PENDING;
  return CODES[code].verdict === "success" ? GOOD : BAD;
}

/** A question with the numbers of its choices. */
export function writeQuestion({
  prompt,
  choices,
}: Pick<NonNullable<Report["question"]>, "prompt" | "choices">): string {
  return [prompt, ...choices.map((choice, index) => `${index + 1}. ${choice}`)].join("\n");
}

const SHORT_COMMIT = 12;

/** Untrusted text on one line: line breaks become spaces, control characters are escaped. */
export function joinLines(text: string): string {
  return neutralise(text.replaceAll(/\s+/g, " ").trim());
}

/** The agent's own words about its work, or those of its program about a failure; null where there are none. */
export function findAgentWords({ notes }: Report): string | null {
  const said = notes.findLast((note) => note.startsWith(BUILDER_SAYS));
  return said === undefined ? null : said.slice(BUILDER_SAYS.length);
}

/** Notes of the runner, such as changed tests; the card shows the others elsewhere. */
export function listOwnNotes({ notes }: Report): readonly string[] {
  return notes.filter(
    (note) => ![NOT_PUT_BACK, NOT_KEPT, BUILDER_SAYS].some((beginning) => note.startsWith(beginning)),
  );
}

/** Whether a change was kept that no check has seen. The ticks of a goal or a campaign are checked in another tick. */
export function isUnchecked({ code, workflow, blast_radius, verification }: Report): boolean {
  const isOwn = workflow === "relay" || workflow === "tree";
  return code === "SUCCESS" && isOwn && blast_radius.files_touched > 0 && verification.runs_total === 0;
}

/** Why the tick ended as it did. */
export function describeEnd(report: Report): string {
  const { code, cause, verification } = report;
  const turn = findOpenTurnOfReport(report);
  if (turn !== null) return `${turn}.`;
  if (code === "SUCCESS" && verification.runs_total === 0) return "All rules passed; no check was run.";
  return describeCause(code, cause).meaning;
}

/** Whether the change waits for a person's decision; work that could not be saved waits for nobody. */
export function isHeldReport({ code, pointers }: Pick<Report, "code" | "pointers">): boolean {
  return code === HELD && pointers.salvage !== undefined;
}

/** Whether the tick ended with the checks before the build. */
export function isUnbuilt({ code }: Pick<Report, "code">): boolean {
  return code === "BLOCKED_BASELINE_RED";
}

/** The checks that decided: those on the change, or those before the build. */
export function listDecidingRuns(report: Report): Pick<Report["verification"], "runs" | "runs_total"> {
  const { baseline = [], ...verification } = report.verification;
  return isUnbuilt(report) ? { runs: baseline, runs_total: baseline.length } : verification;
}

/** What became of the change. */
export function describeSettlement({ settle, code, isolation, blast_radius }: Report, dress: Dress): string {
  if (code === "BLOCKED_ROLLBACK_FAILED") return "NOT restored exactly: run `relais recover` first";
  if (isUnbuilt({ code })) return "not started";
  if (settle === null) return isolation === null ? "not started" : "no change";
  switch (settle.action) {
    case "accept":
      return blast_radius.files_touched === 0 ? "no change" : "in the working tree, not committed";
    case "rollback":
      return code === HELD ? "not in your tree" : "reverted";
    case "commit": {
      const branch = settle.branch === null ? "" : ` on ${dress(settle.branch)}`;
      return settle.commit === null
        ? "nothing to commit"
        : `committed as ${settle.commit.slice(0, SHORT_COMMIT)}${branch}`;
    }
    default:
      return unreachable(settle.action);
  }
}

/** The size of the change; null where the tick ended before it was measured, which is not the same as none. */
export function describeSize({ scope, findings_total, blast_radius }: Report): string | null {
  const isMeasured = scope.ok || findings_total > 0 || blast_radius.files_touched > 0;
  return isMeasured ? describeBlastRadius(blast_radius) : null;
}

/** The file with the most changed lines, where there is more than one to be told from it. */
export function describeLargest({ blast_radius: { largest, files_touched } }: Report, dress: Dress): string | null {
  if (largest === undefined || files_touched < 2) return null;
  return `largest: ${dress(largest.path)}, +${largest.lines_added}/-${largest.lines_deleted}`;
}

/** How many changed paths are outside the allowed ones; null if none is. */
export function describeOutside({ findings, findings_total }: Report): string | null {
  const outside = findings.filter(({ code }) => code === "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED");
  const paths = new Set(outside.map(({ subject }) => subject)).size;
  if (paths === 0) return null;
  return `${findings_total > findings.length ? "at least " : ""}${countNoun(paths, "path")} outside the allowed paths`;
}

const PLACES = {
  in_place: "in your working tree",
  overlay: "in an overlay of your working tree",
  clone: "in its own clone",
} as const;

export const SUMMARY_UNREADABLE = "No readable summary of the agent; the change was checked anyway";

/** Where the builder worked and what held it; null where nobody worked. */
export function describeIsolation({ isolation, sandbox }: Report): string | null {
  if (isolation === null || sandbox === null) return null;
  return `worked ${PLACES[isolation]}, ${SANDBOX_WORDS[sandbox]}`;
}

const SHORT_PLACES = { in_place: "not isolated", overlay: "overlay", clone: "own clone" } as const;
const SHORT_SANDBOXES = {
  none: "unsandboxed",
  bubblewrap: "in bubblewrap",
  seatbelt: "in seatbelt",
  codex: "codex sandbox",
  claude_code: "Claude permissions",
} as const satisfies Record<NonNullable<Report["sandbox"]>, string>;

/** The same in three words. */
export function describeIsolationShortly({ isolation, sandbox }: Report): string | null {
  if (isolation === null || sandbox === null) return null;
  return `${SHORT_PLACES[isolation]}, ${SHORT_SANDBOXES[sandbox]}`;
}

const SANDBOX_WORDS = {
  none: "without a sandbox: it could write outside the repository and use the network",
  bubblewrap: "inside bubblewrap",
  seatbelt: "inside seatbelt",
  codex: "inside the sandbox of codex",
  claude_code: "limited by the permissions of Claude Code",
} as const satisfies Record<NonNullable<Report["sandbox"]>, string>;

/** What one role's program said that it used. Nothing of it is estimated. */
export function describeUsage(usage: Report["usage"][number]): string {
  const cached = usage.cached_input_tokens;
  const amount = describeAmount(usage, cached === null ? "" : ` (${groupDigits(cached)} cached)`);
  return amount === null
    ? `${usage.role}: not reported by ${usage.driver}`
    : `${usage.role}: ${amount}, as ${usage.driver} reports`;
}

type Amount = Pick<Report["usage"][number], "cost_usd" | "input_tokens" | "output_tokens">;

/** Money and tokens as far as they were reported; null where nothing was. */
export function describeAmount({ cost_usd, input_tokens, output_tokens }: Amount, ofInput = ""): string | null {
  const parts = [
    ...(cost_usd === null ? [] : [formatDollars(cost_usd)]),
    ...(input_tokens === null ? [] : [`${groupDigits(input_tokens)} tokens in${ofInput}`]),
    ...(output_tokens === null ? [] : [`${groupDigits(output_tokens)} out`]),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

/** What all sessions of a tick used together; null where nobody reported anything. */
export function describeTotalUsage(usage: Report["usage"]): string | null {
  const sum = (read: (one: Report["usage"][number]) => number | null, add = addNumbers): number | null => {
    const known = usage.flatMap((one) => read(one) ?? []);
    return known.length === 0 ? null : known.reduce(add, 0);
  };
  const total = {
    cost_usd: sum(({ cost_usd }) => cost_usd, formatDollarSum),
    input_tokens: sum(({ input_tokens }) => input_tokens),
    output_tokens: sum(({ output_tokens }) => output_tokens),
  };
  const isPartial = total.cost_usd !== null && usage.some(({ cost_usd }) => cost_usd === null);
  const amount = describeAmount(total);
  return amount === null ? null : `${isPartial ? "at least " : ""}${amount}`;
}

const addNumbers = (one: number, other: number): number => one + other;

type Reviewer = NonNullable<Report["review"]>["reviewers"][number];

const VOTES = { approve: "approves", refuse: "refuses", none: "gave no valid answer" } as const;

/** One reviewer: the vote, or why there is none, and what it says. */
export function describeReviewer({ name, vote, cause, summary, reasons }: Reviewer, dress: Dress): string {
  const because = cause === null ? "" : ` (${dress(cause)})`;
  const said = [summary, ...reasons].filter((text) => text !== "").join(" / ");
  return `${name} ${VOTES[vote]}${because}${said === "" ? "" : `: ${dress(said)}`}`;
}

/** A vote against a goal or a campaign only says that it is not reached yet. */
export function pickVoteMark({ vote }: Pick<Reviewer, "vote">, workflow: Report["workflow"]): Sign {
  if (vote === "approve") return GOOD;
  return vote === "refuse" && (workflow === "goal" || workflow === "campaign") ? NEUTRAL : BAD;
}

/** One check: its name, how long it took and, where it failed, how. */
export function describeCheck(run: VerificationRun, dress: Dress): string {
  const took = `${dress(run.template_id)} ${formatDuration(run.duration_ms)}`;
  const end = isGreenRun(run) ? took : `${took}, ${describeRedCheck(run)}`;
  const old = [
    ...(run.oracle === undefined ? [] : ["with the old tests"]),
    ...(run.committed === undefined ? [] : ["without your uncommitted files"]),
  ];
  return [end, ...describeTests(run), ...old, ...describeState(run)].join(", ");
}

/** "12 tests passed, 1 skipped". */
function describeTests({ tests }: VerificationRun): readonly string[] {
  if (tests === undefined) return [];
  const { passed, failed, skipped } = tests;
  const others = [...(failed === 0 ? [] : [`${failed} failed`]), ...(skipped === 0 ? [] : [`${skipped} skipped`])];
  return [`${countNoun(passed, "test")} passed`, ...others];
}

/** What the runs besides the one on the change added; null where there were none. */
export function describeExtraTime(report: Report): string | null {
  const { runs, baseline = [] } = report.verification;
  if (isUnbuilt(report)) return null;
  const old = runs.filter(({ oracle }) => oracle === "base");
  const setups = runs.filter(({ oracle }) => oracle === undefined).map(({ setup_ms = 0 }) => setup_ms);
  const parts = [
    ["before the build", sumNumbers(baseline.map(measureRun))],
    ["with the old tests", sumNumbers(old.map(measureRun))],
    ["with the new tests on the old code", sumNumbers(runs.map(({ old_code_ms = 0 }) => old_code_ms))],
    ["for the setup", sumNumbers(setups)],
  ] as const;
  const known = parts.filter(([, ms]) => ms > 0);
  if (known.length === 0) return null;
  const took = formatDuration(sumNumbers(known.map(([, ms]) => ms)));
  return `${took} ${runs.length === 0 ? "" : "more "}${joinNames(known.map(([words]) => words))}`;
}

const measureRun = ({ duration_ms, setup_ms = 0 }: VerificationRun): number => duration_ms + setup_ms;
const sumNumbers = (numbers: readonly number[]): number => numbers.reduce(addNumbers, 0);

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

const STATES = {
  passed: null,
  broken: "it passed before",
  red_before: "it failed before, too",
  mended: "fixed",
  flaky: "flaky",
  asked: "other tests were asked for",
} as const;

function describeState({ state }: VerificationRun): readonly string[] {
  const words = state === undefined ? null : STATES[state];
  return words === null ? [] : [words];
}

function groupDigits(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
