/**
 * Whether a tick may begin: one list for every command that begins one, for `status --preflight` and for `doctor`.
 *
 * Nobody is paid before all of it passes. A tick that was cut short comes first. It explains a dirty tree, and "commit or
 * stash it" would be the wrong advice.
 */
import { checkLogins, checkAgentPrograms, checkRateLimit } from "./agent-rows.ts";
import type { PreflightRefusal, PreflightRow, PreflightSubject } from "./preflight-row.ts";
import { checkQuestion } from "./question-row.ts";
import {
  checkCheckPrograms,
  checkFilters,
  checkGitLock,
  checkGoal,
  checkOperation,
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
  checkAgentPrograms,
  checkRateLimit,
  checkLogins,
];

/** What `doctor` has no lines of its own for. */
const ROWS_OF_DOCTOR: readonly PreflightRow[] = [
  checkWritable,
  checkOperation,
  checkGitLock,
  checkFilters,
  checkRateLimit,
];

interface PreflightOptions {
  /** Called just before the documents of the workspace are read, by a tick that really begins. */
  readonly tidy?: () => void;
}

/** The first row that refuses, or null where a tick could begin. It only reads. */
export async function findPreflightRefusal(
  subject: PreflightSubject,
  { tidy }: PreflightOptions = {},
): Promise<PreflightRefusal | null> {
  for (const row of ROWS) {
    if (row === checkDamage) tidy?.();
    const refused = await row(subject);
    if (refused !== null) return refused;
  }
  return null;
}

/** Everything that refuses and that `doctor` does not look at by itself. */
export async function listRefusalsForDoctor(subject: PreflightSubject): Promise<readonly PreflightRefusal[]> {
  const refusals = [];
  for (const row of ROWS_OF_DOCTOR) refusals.push(await row(subject));
  return refusals.filter((refused) => refused !== null);
}
