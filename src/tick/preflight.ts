/**
 * Whether a tick may start: one list for every command that starts one, for `status --preflight` and for `doctor`.
 *
 * No agent is called before all rows pass. An interrupted tick comes first. It explains a dirty tree, and "commit or
 * stash it" would be the wrong advice.
 */
import { checkLogins, checkAgentPrograms, checkRateLimit } from "./check-agents.ts";
import type { PreflightRefusal, PreflightRow, PreflightSubject } from "./preflight-row.ts";
import { checkQuestion } from "./state-rows.ts";
import {
  checkCheckPrograms,
  checkFilters,
  checkGitLock,
  checkGoal,
  checkHeldOut,
  checkOperation,
  checkSigning,
  checkWritable,
} from "./repository-rows.ts";
import {
  checkBranch,
  checkBudgetRow,
  checkDamage,
  checkDirty,
  checkHistoryCap,
  checkIsolation,
  checkUnfinished,
} from "./state-rows.ts";

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
