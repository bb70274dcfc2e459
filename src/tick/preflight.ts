import { listHeldOutFiles } from "../checks/pure/held-out.ts";
import { quote } from "../base/words.ts";
import { findHeldOutProblem } from "../journal/held-out-source.ts";
import { listGitLockFiles, findGitOperation } from "../git/git-status.ts";
import { listMissingFilters } from "../git/filter-view.ts";
import { readHead } from "../git/head.ts";
import { findSigningProblem } from "../keep/sign-settlement.ts";
import { refuseMissingCheck } from "../workspace/missing-check-programs.ts";
import { refuseGitOperation, refuseUnwritable } from "../workspace/repository-refusals.ts";
import { describeGoal, isGoalEmpty } from "./goal-file.ts";
import type { RunningTick } from "./running-tick.ts";
import { type PreflightRefusal, type PreflightSubject, describePaths, type PreflightRow } from "./preflight-row.ts";
import { checkLogins, checkAgentPrograms, checkRateLimit } from "./check-agents.ts";
import {
  checkQuestion,
  checkBranch,
  checkBudgetRow,
  checkDamage,
  checkDirty,
  checkHistoryCap,
  checkIsolation,
  checkUnfinished,
} from "./state-rows.ts";

/** Preflight rows about the repository and the programs that git and the checks need. */

export function checkWritable({ repository, config }: PreflightSubject): PreflightRefusal | null {
  return refuseUnwritable(repository, config);
}

/** Before the row about a dirty tree, which it explains. */
export function checkOperation({ repository }: PreflightSubject): PreflightRefusal | null {
  const found = findGitOperation(repository);
  return found === null ? null : refuseGitOperation(found);
}

export async function checkGitLock({ repository, signal }: PreflightSubject): Promise<PreflightRefusal | null> {
  const locks = listGitLockFiles(repository, (await readHead(repository, signal)).text);
  if (locks.length === 0) return null;
  const message = `Git could not write here, because of ${describePaths(locks)}.`;
  return { code: "BLOCKED_LOCK_HELD", cause: "git_lock", message };
}

export async function checkFilters(subject: PreflightSubject): Promise<PreflightRefusal | null> {
  const { repository, settings, signal } = subject;
  const [missing] = await listMissingFilters({ repository, settings, signal });
  if (missing === undefined) return null;
  const { filter, program } = missing;
  const message = `Git needs the filter ${filter} here, and its program ${program} was not found.`;
  return { code: "BLOCKED_MISSING_CONFIG", cause: "filter_not_found", message };
}

/** The checks of a given task and of the workflow. Those of a plan are looked up once it is made. */
export async function checkCheckPrograms(subject: PreflightSubject): Promise<PreflightRefusal | null> {
  const { config, repository, work } = subject;
  if (work === undefined || work === null) return null;
  return refuseMissingCheck(config, repository, work.task, work.checks.known);
}

/** A held-out file that is missing would end a paid tick, and agents could read one inside the repository. */
export function checkHeldOut({ config, repository }: PreflightSubject): PreflightRefusal | null {
  for (const { source } of listHeldOutFiles(config.verification)) {
    const problem = findHeldOutProblem(source, repository);
    if (problem === null) continue;
    const message =
      problem === "missing"
        ? `The held-out file ${quote(source)} does not exist.`
        : `The held-out file ${quote(source)} does not lie outside the repository, so agents could read it.`;
    return { code: "BLOCKED_MISSING_CONFIG", cause: `held_out_${problem}`, message };
  }
  return null;
}

/** Work that could not be signed in the end would be reverted, after somebody paid for it. */
export async function checkSigning(subject: PreflightSubject): Promise<PreflightRefusal | null> {
  const message = await findSigningProblem(subject);
  return message === null ? null : { code: "BLOCKED_MISSING_CONFIG", cause: "signing_key_unusable", message };
}

/** Only an orchestrator needs the goal. */
export function checkGoal({ config, workspace, work }: PreflightSubject): PreflightRefusal | null {
  if ((work?.orchestrator ?? null) === null || !isGoalEmpty(workspace)) return null;
  return { code: "BLOCKED_MISSING_CONFIG", cause: "goal_empty", message: describeGoal(workspace, config) };
}

/**
 * Whether a tick may start: one list for every command that starts one, for `status --preflight` and for `doctor`.
 *
 * No agent is called before all rows pass. An interrupted tick comes first. It explains a dirty tree, and "commit or
 * stash it" would be the wrong advice.
 */

const ROWS: readonly PreflightRow[] = [
  checkUnfinished,
  checkIsolation,
  checkWritable,
  checkOperation,
  checkGitLock,
  checkFilters,
  checkDirty,
  checkHistoryCap,
  checkDamage,
  checkQuestion,
  checkGoal,
  checkBudgetRow,
  checkBranch,
  checkCheckPrograms,
  checkHeldOut,
  checkSigning,
  checkAgentPrograms,
  checkRateLimit,
  checkLogins,
];

const ROWS_OF_DOCTOR: readonly PreflightRow[] = [
  checkWritable,
  checkOperation,
  checkGitLock,
  checkFilters,
  checkHeldOut,
  checkRateLimit,
];

export function makeSubject({ tick, where, pinned, work, record }: RunningTick): PreflightSubject {
  return { ...tick, ...where, ...pinned, journal: record.journal, work, attempts: work.attempts };
}

/** The first refusal; null where a tick could start. `tidy` is called just before the documents are read. */
export async function findPreflightRefusal(
  subject: PreflightSubject,
  tidy?: () => void,
): Promise<PreflightRefusal | null> {
  for (const row of ROWS) {
    if (row === checkDamage) tidy?.();
    const refused = await row(subject);
    if (refused !== null) return refused;
  }
  return null;
}

/** The refusals of the rows that `doctor` does not check itself. */
export async function listRefusalsForDoctor(subject: PreflightSubject): Promise<readonly PreflightRefusal[]> {
  const refusals = [];
  for (const row of ROWS_OF_DOCTOR) refusals.push(await row(subject));
  return refusals.filter((refused) => refused !== null);
}
