/**
 * What to type after a tick.
 *
 * The commands depend on the end of the tick and on what it left: a kept change can be accepted or undone, a reverted one
 * can be inspected, and an obstacle must be removed.
 */
import { type Code, type CodeOf, CODES } from "../base/codes.ts";
import type { Report } from "../records/report.ts";
import { makeStep as step, type NextStep } from "../base/canvas.ts";
import { neutralise } from "../base/style.ts";
import { writeShellWord } from "../base/process-text.ts";
import { validateGlob } from "../base/glob-validity.ts";
import { OLD_TESTS } from "../records/suspicions.ts";
import type { Finding } from "../records/judgement.ts";
import { LIMIT_CAUSES } from "../workflows/pure/left-work.ts";
import { findAgentCause } from "../tick/pure/agent-causes.ts";
import { findOpenTurnOfReport } from "../tick/pure/turns.ts";
import { isHeldReport } from "./report-words.ts";
import { isGreenRun } from "../tick/pure/decisive-words.ts";
import { describeCause } from "../tick/pure/cause-words.ts";

export const DOCTOR = step("relais doctor", "find out what is missing");
export const STATUS = step("relais status", "current state");
export const BUDGET = step("relais status", "show the budget");
export const ANSWER = step('relais answer "..."', "answer the question");
export const RECOVER = step("relais recover", "restore the repository, save the work");

const AFTER_FAILED_ROLLBACK = [step("relais recover", "restore the rest"), step("relais salvage list", "saved work")];

const NEXT_MILESTONE = [step("relais milestone next", "open the next milestone, with a budget of its own"), BUDGET];

const UNBLOCK: Readonly<Record<CodeOf<"blocked">, readonly NextStep[]>> = {
  BLOCKED_MISSING_CONFIG: [DOCTOR],
  BLOCKED_LOCK_HELD: [STATUS],
  BLOCKED_DIRTY_WORKTREE: [step("git stash -u", "stash them")],
  BLOCKED_BASELINE_RED: [],
  BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED: [
    step("relais history prune --dry-run", "preview"),
    step("relais history prune", "delete old runs"),
  ],
  BLOCKED_CRASH_RECOVERY_REQUIRED: [RECOVER],
  BLOCKED_BUDGET_EXHAUSTED: NEXT_MILESTONE,
  BLOCKED_BUDGET_CAP: NEXT_MILESTONE,
  BLOCKED_ORCHESTRATOR_OUTPUT_INVALID: [DOCTOR],
  BLOCKED_ROLLBACK_FAILED: AFTER_FAILED_ROLLBACK,
  BLOCKED_SANDBOX_UNAVAILABLE: [DOCTOR],
  BLOCKED_BUILDER_COMMAND_NOT_FOUND: [DOCTOR],
  BLOCKED_QUEUE_UNAVAILABLE: [DOCTOR],
  BLOCKED_PROTECTED_BRANCH: [step("git switch -c NAME", "work on another branch")],
};

/** Causes that need other steps than their code. */
const UNBLOCK_CAUSE: Readonly<Record<string, readonly NextStep[]>> = {
  change_waits: [step("relais accept", "commit it; `relais undo` discards it")],
  config_uncommitted: [step("relais init --commit", "commit them, and nothing else")],
  goal_empty: [step("relais eject GOAL.md", "create it, if it is missing; then write the goal and commit it")],
  packages_not_ignored: [step("echo node_modules/ >> .gitignore", "ignore them; then commit .gitignore")],
  workspace_not_ignored: [step("relais doctor", "which files, and how to ignore them")],
  branch_in_the_way: [step("git switch -c NAME", "work on another branch")],
};

/** What to type next, the most useful first. */
export function renderNextSteps(report: Report): readonly NextStep[] {
  if (report.code === "STOP_QUESTION") return [ANSWER, ...listHistory(report)];
  if (report.verdict === "success") return listAfterSuccess(report);
  if (isHeldReport(report)) return listHeldSteps(report);
  const { code } = report;
  if (isBlocked(code))
    return [
      ...goOnAnyway(report),
      ...listUnblockSteps(code, report.cause),
      ...beginDirty(report),
      ...listHistory(report),
      explainCode(code),
    ].slice(0, STEPS_MAX);
  if (OF_A_PERSON.includes(code)) return [...showSalvage(report), ...listHistory(report)];
  const first = [...allowAgain(report), ...applyAgain(report), ...listCauseSteps(report), ...showOutput(report)];
  if (first.length > 0) return [...first, ...showSalvage(report), ...listHistory(report)].slice(0, STEPS_MAX);
  return [...listHistory(report), ...showSalvage(report), ...showCommit(report), explainCode(code)];
}

const STEPS_MAX = 3;

const OF_UNCOMMITTED = ["dirty_path", "needs_uncommitted"];

function listHeldSteps({ run_id: runId, cause }: Report): readonly NextStep[] {
  const isLater = cause !== null && OF_UNCOMMITTED.includes(cause);
  return [
    step(`relais accept ${runId}`, isLater ? "keep it, once yours is committed" : "keep it; `relais reject` does not"),
    step(`relais diff ${runId}`, "show the change"),
    step(`relais reject ${runId} --reason "..."`, "it is not wanted"),
  ];
}

/** The command that goes on although checks fail before any work. */
function goOnAnyway(report: Report): readonly NextStep[] {
  const { code, workflow, go_on: known, verification } = report;
  if (known !== undefined) return [step(neutralise(known), FIXES_IT)];
  const { baseline = [] } = verification;
  const options = baseline.filter((run) => !isGreenRun(run)).flatMap(({ template_id: id }) => ["--fixes", id]);
  const isOwn = code === "BLOCKED_BASELINE_RED" && workflow === "relay" && options.length > 0;
  return isOwn ? repeatCommand(report, options, FIXES_IT) : [];
}

const FIXES_IT = "if the work is to fix it";

/** A single tick may begin with what is not committed. */
function beginDirty(report: Report): readonly NextStep[] {
  const { code, cause, command_line: line } = report;
  const isOwn = code === "BLOCKED_DIRTY_WORKTREE" && cause === "dirty" && line?.[0] === "run";
  return isOwn ? repeatCommand(report, ["--dirty"], "begin with them, and commit only the change") : [];
}

/** The command that the person typed, with more options; a long one is not known. */
function repeatCommand({ command_line: line }: Report, more: readonly string[], explains: string): readonly NextStep[] {
  const begin = line === undefined ? 'run "..."' : line.map(writeShellWord).join(" ");
  const command = `relais ${begin} ${more.map(writeShellWord).join(" ")}`;
  return neutralise(command) === command ? [step(command, explains)] : [];
}

/** The options that allow what was stopped, and nothing else; null where no option does. */
function findAllowingOptions(report: Report): readonly string[] | null {
  const { code, findings, findings_total, workflow } = report;
  if (workflow !== "relay" || findings_total !== findings.length || findings[0]?.code !== code) return null;
  const options = findings.map((finding) => findAllowingOption(finding, report));
  if (options.includes(null)) return null;
  const lists = [...new Map(options.map((list) => [String(list), list ?? []])).values()];
  return lists.length > OPTIONS_MAX ? null : lists.flat();
}

const OPTIONS_MAX = 6;

function findAllowingOption(
  { code, gate, subject, rule, quote }: Finding,
  { blast_radius }: Report,
): readonly string[] | null {
  const lines = blast_radius.lines_added + blast_radius.lines_deleted;
  if (code === "STOP_SCOPE_VIOLATION_NEW_FILE") return ["--new-files"];
  if (code === "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" && validateGlob(subject) === null) return ["--allow", subject];
  if (gate === OLD_TESTS && FAILED_CHECK.includes(code)) return allowTests(quote?.split("\n") ?? []);
  if (code === "STOP_DIFF_TOO_LARGE" && rule.includes("lines changed")) return ["--max-lines", String(lines)];
  return null;
}

function allowTests(paths: readonly string[]): readonly string[] | null {
  const isNamed = paths.length > 0 && paths.every((path) => validateGlob(path) === null);
  return isNamed ? paths.flatMap((path) => ["--update-tests", path]) : null;
}

/** The saved work is judged again with what the person allows now; that costs no session. */
function allowAgain(report: Report): readonly NextStep[] {
  const options = findAllowingOptions(report);
  if (options === null) return [];
  const { pointers, command_line: line } = report;
  const land = ["land", pointers.salvage ?? "", ...options].map(writeShellWord).join(" ");
  const saved =
    pointers.salvage === undefined ? [] : [step(`relais ${land}`, "judge this work again, with that allowed")];
  const known =
    line === undefined ? report : { ...report, command_line: line.filter((word) => word !== "--no-new-files") };
  const isWanted = line !== undefined && !FAILED_CHECK.includes(report.code);
  return [...saved, ...(isWanted ? repeatCommand(known, options, "let the agent do it again") : [])];
}

/** Nothing is wrong with the change itself. */
const OF_A_PERSON: readonly Code[] = ["STOP_REJECTED", "STOP_UNDECIDED"];

/** The command that belongs to the cause of a failed session. */
function listCauseSteps({ code, cause }: Report): readonly NextStep[] {
  const { command } = findAgentCause(code, cause) ?? {};
  return command === undefined ? [] : [step(command, CAUSE_COMMANDS[command] ?? "look at it")];
}

const CAUSE_COMMANDS: Readonly<Record<string, string>> = {
  "relais doctor": "try the agent without a model",
  "relais recover": "restore the repository, save the work",
};

const FAILED_CHECK: readonly Code[] = ["STOP_VERIFY_FAILED_FAST", "STOP_VERIFY_FAILED_SLOW"];

/** The output of the checks stands below the work of the agent. */
function showOutput({ code, run_id, settle, workflow }: Report): readonly NextStep[] {
  if (!FAILED_CHECK.includes(code) || settle?.action === "commit") return [];
  const log = step(`relais log ${run_id}`, "what the agent did and the check printed");
  return workflow === "relay"
    ? [step(`relais fix ${run_id}`, "try again from there; the agent is told what failed"), log]
    : [log];
}

/** A limit ended the session: the next attempt can begin from its work. The other workflows begin from it by themselves. */
function applyAgain({ workflow, cause, pointers }: Report): readonly NextStep[] {
  const isLimit = cause === "tick_timeout" || LIMIT_CAUSES.includes(cause ?? "");
  if (workflow !== "relay" || !isLimit || pointers.salvage === undefined) return [];
  return [step(`relais salvage apply ${pointers.salvage}`, "restore it, to continue from it")];
}

function listUnblockSteps(code: CodeOf<"blocked">, cause: string | null): readonly NextStep[] {
  const own = cause !== null && Object.hasOwn(UNBLOCK_CAUSE, cause) ? UNBLOCK_CAUSE[cause] : undefined;
  if (own !== undefined) return own;
  if (cause?.endsWith("_of_series") === true) return [BUDGET];
  return cause?.endsWith("_not_found") === true ? [DOCTOR] : UNBLOCK[code];
}

/** The steps where a tick cannot start although there is a configuration. */
export function renderUnblockSteps(code: Report["code"], cause: string | null): readonly NextStep[] {
  return isBlocked(code) ? listUnblockSteps(code, cause) : [DOCTOR];
}

/** The steps after a failed rollback, shown by `relais status`. */
export function renderRollbackSteps(runId: string): readonly NextStep[] {
  return [...AFTER_FAILED_ROLLBACK, step(`relais history show ${runId}`, "full report")];
}

/** The steps for `relais history show`: those of the end of the tick may be done already. */
export function renderLaterSteps(report: Report): readonly NextStep[] {
  const patch = step(`relais history diff ${report.run_id}`, "show the change");
  return [
    ...(report.diff.diff_patch_path === null ? [] : [patch]),
    ...showSalvage(report),
    ...(report.code === "SUCCESS" ? [STATUS] : [explainCode(report.code)]),
  ];
}

/** The steps for an uncommitted change that waits for a decision. */
export function renderStepsAfterAccept(): readonly NextStep[] {
  return [
    step("relais diff", "show the change"),
    step("relais accept", "commit the change"),
    step("relais undo", "discard the change"),
  ];
}

const ACCEPT = step("relais accept", "commit it; `relais undo` discards it");

/** The one command for a card. */
export function pickNextStep(report: Report): readonly NextStep[] {
  if (isUndecided(report)) return [ACCEPT];
  const dirty = beginDirty(report);
  if (dirty.length > 0) return [...listUnblockSteps("BLOCKED_DIRTY_WORKTREE", null), ...dirty];
  const again = allowAgain(report);
  return again.length > 0 ? [...again, ...showOutput(report).slice(0, 1)] : renderNextSteps(report).slice(0, 1);
}

function isUndecided({ code, settle, blast_radius }: Report): boolean {
  return code === "SUCCESS" && settle?.action === "accept" && blast_radius.files_touched > 0;
}

/** The remedy of the code, or the decision to take after success. */
export function findRemedy(report: Report): string | null {
  const { code, cause, settle } = report;
  if (code === "STOP_QUESTION") return "Answer the question.";
  if (findOpenTurnOfReport(report) !== null) return null;
  if (code !== "SUCCESS" && settle?.action === "commit") return "Read the report; the attempt is committed.";
  if (code !== "SUCCESS") return describeCause(code, cause).remedy;
  return isUndecided(report) ? "Look at the change, then accept or undo." : null;
}

function listAfterSuccess(report: Report): readonly NextStep[] {
  const { settle } = report;
  if (settle?.action === "commit" && settle.commit !== null) {
    return [...showCommit(report), step("relais undo", "remove the commit again")];
  }
  if (isUndecided(report)) return renderStepsAfterAccept();
  return [...listHistory(report), STATUS];
}

function listHistory({ run_id, pointers }: Report): readonly NextStep[] {
  if (pointers.history_dir === undefined) return [];
  return [step(`relais history show ${run_id}`, "full report")];
}

function showCommit({ settle }: Report): readonly NextStep[] {
  if (settle === null || settle.commit === null) return [];
  return [step(`git show ${settle.commit.slice(0, 12)}`, "show the commit")];
}

function showSalvage({ pointers }: Report): readonly NextStep[] {
  if (pointers.salvage === undefined) return [];
  return [step(`relais salvage show ${pointers.salvage}`, "show the reverted change")];
}

export function explainCode(code: Code): NextStep {
  return step(`relais explain ${code}`, "explain this code");
}

function isBlocked(code: Report["code"]): code is CodeOf<"blocked"> {
  return CODES[code].verdict === "blocked";
}
