/**
 * What to type after a tick.
 *
 * A person who reads a verdict wants to act on it. The commands depend on how the tick ended and on what it left: work
 * in the tree can be taken or given back, work that was put back can be looked at, and what blocks must be removed.
 */
import type { CodeOf } from "../../contract/values/codes.ts";
import { CODES } from "../../contract/values/codes.ts";
import type { Report } from "../../contract/documents/report.ts";
import type { NextStep } from "../text/canvas.ts";
import { LIMIT_CAUSES } from "../../core/series/left-work.ts";
import { causeWords } from "../../core/words/cause-words.ts";

const step = (command: string, explains: string): NextStep => ({ command, explains });

const DOCTOR = step("relais doctor", "what is missing, and how to get it");
const STATUS = step("relais status", "where things stand");
const ANSWER = step('relais answer "..."', "answer it; the next tick is told");

const PUT_BACK = [
  step("relais recover", "put back what is not back yet"),
  step("relais salvage list", "the content that was kept"),
];

const UNBLOCK: Readonly<Record<CodeOf<"blocked">, readonly NextStep[]>> = {
  BLOCKED_MISSING_CONFIG: [step("relais init", "write a configuration that fits this repository"), DOCTOR],
  BLOCKED_LOCK_HELD: [STATUS],
  BLOCKED_DIRTY_WORKTREE: [
    step("git status", "what is not committed"),
    step("git stash -u", "put it aside for now"),
  ],
  BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED: [
    step("relais history prune --dry-run", "which folders would go"),
    step("relais history prune", "remove the oldest folders"),
  ],
  BLOCKED_CRASH_RECOVERY_REQUIRED: [step("relais recover", "put the repository back, keep the work")],
  BLOCKED_BUDGET_EXHAUSTED: [step("relais status", "what is spent and what is left")],
  BLOCKED_BUDGET_CAP: [step("relais status", "what is spent and what is left")],
  BLOCKED_ORCHESTRATOR_OUTPUT_INVALID: [DOCTOR],
  BLOCKED_ROLLBACK_FAILED: PUT_BACK,
  BLOCKED_SANDBOX_UNAVAILABLE: [DOCTOR],
  BLOCKED_BUILDER_COMMAND_NOT_FOUND: [DOCTOR],
  BLOCKED_PROTECTED_BRANCH: [step("git switch -c NAME", "work on a branch of its own")],
};

/** Where the cause of a refusal asks for something else than its code does. */
const UNBLOCK_CAUSE: Readonly<Record<string, readonly NextStep[]>> = {
  workspace_not_ignored: [step("relais doctor", "which files these are, and how to have them ignored")],
  branch_in_the_way: [step("git switch -c NAME", "work on a branch that is not protected")],
};

/** Two or three commands that make sense after this tick. */
export function nextSteps(report: Report): readonly NextStep[] {
  if (report.code === "STOP_QUESTION") return [ANSWER, ...history(report)];
  if (report.verdict === "success") return afterSuccess(report);
  const explain = step(`relais explain ${report.code}`, "what this code means");
  const code = blockedCode(report);
  if (code !== null) return [...unblock(code, report.cause), ...history(report), explain].slice(0, 3);
  const again = goOn(report);
  if (again.length > 0) return [...again, ...salvage(report), ...history(report)];
  return [...history(report), ...salvage(report), ...commit(report), explain];
}

/** A limit ended the session: the next attempt can begin from its work. The other workflows begin from it by themselves. */
function goOn({ workflow, cause, pointers }: Report): readonly NextStep[] {
  const isLimit = cause === "tick_timeout" || LIMIT_CAUSES.includes(cause ?? "");
  if (workflow !== "relay" || !isLimit || pointers.salvage === undefined) return [];
  return [step(`relais salvage apply ${pointers.salvage}`, "lay it out again, to go on from it")];
}

function unblock(code: CodeOf<"blocked">, cause: string | null): readonly NextStep[] {
  const own = UNBLOCK_CAUSE[cause ?? ""];
  if (own !== undefined) return own;
  return cause?.endsWith("_not_found") === true ? [DOCTOR] : UNBLOCK[code];
}

/** Before a tick that could not begin although there is a configuration. */
export function unblockSteps(code: Report["code"], cause: string | null): readonly NextStep[] {
  if (!isBlocked(code)) return [DOCTOR];
  return code === "BLOCKED_MISSING_CONFIG" && UNBLOCK_CAUSE[cause ?? ""] === undefined
    ? [DOCTOR]
    : unblock(code, cause);
}

/** After a rollback that failed, for somebody who comes back to it. */
export function rollbackSteps(runId: string): readonly NextStep[] {
  return [...PUT_BACK, step(`relais history show ${runId}`, "everything about that tick")];
}

/** The same for somebody who is reading all about an earlier tick: what was to be done at its end may be long done. */
export function laterSteps(report: Report): readonly NextStep[] {
  const explain = step(`relais explain ${report.code}`, "what this code means");
  const patch = step(`relais history diff ${report.run_id}`, "the change itself");
  return [
    ...(report.diff.diff_patch_path === null ? [] : [patch]),
    ...salvage(report),
    ...(report.code === "SUCCESS" ? [STATUS] : [explain]),
  ];
}

/** The steps after a change that lies in the worktree and waits for a decision. */
export function stepsAfterAccept(newFiles: number): readonly NextStep[] {
  return [
    newFiles > 0
      ? step("git diff", "what changed; `git status` names the new files")
      : step("git diff", "what changed"),
    step("relais accept", "commit exactly this"),
    step("relais undo", "take it back"),
  ];
}

/** In words: what a code asks for, or what there is to decide after success. */
export function remedyOf({ code, cause, settle, blast_radius }: Report): string | null {
  if (code === "STOP_QUESTION") return "A person has to answer.";
  if (code !== "SUCCESS" && settle?.action === "commit")
    return "Read the report; the attempt is kept as a commit.";
  if (code !== "SUCCESS") return causeWords(code, cause).remedy;
  const isWaiting = settle?.action === "accept" && blast_radius.files_touched > 0;
  return isWaiting ? "Look at the change, then take it or give it back." : null;
}

function afterSuccess(report: Report): readonly NextStep[] {
  const { settle, blast_radius } = report;
  if (settle?.action === "commit" && settle.commit !== null) {
    return [...commit(report), step("relais undo", "take it back while it is the last one")];
  }
  if (settle?.action === "accept" && blast_radius.files_touched > 0)
    return stepsAfterAccept(blast_radius.new_files);
  return [...history(report), STATUS];
}

function history({ run_id, pointers }: Report): readonly NextStep[] {
  if (pointers.history_dir === undefined) return [];
  return [step(`relais history show ${run_id}`, "everything about this tick")];
}

function commit({ settle }: Report): readonly NextStep[] {
  if (settle === null || settle.commit === null) return [];
  return [step(`git show ${settle.commit.slice(0, 12)}`, "the commit")];
}

function salvage({ pointers }: Report): readonly NextStep[] {
  if (pointers.salvage === undefined) return [];
  return [step(`relais salvage show ${pointers.salvage}`, "the work that was put back")];
}

function blockedCode({ code }: Report): CodeOf<"blocked"> | null {
  return isBlocked(code) ? code : null;
}

function isBlocked(code: Report["code"]): code is CodeOf<"blocked"> {
  return CODES[code].verdict === "blocked";
}
