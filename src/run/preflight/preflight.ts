/**
 * Whether a tick may begin: one list for every command that begins one, for `status --preflight` and for `doctor`.
 *
 * Nobody is paid before all of it passes. A tick that was cut short comes first. It explains a dirty tree, and "commit or
 * stash it" would be the wrong advice.
 */
import { logins, programs, rateLimit } from "./agent-rows.ts";
import type { PreflightRefusal, PreflightRow, PreflightSubject } from "./preflight-row.ts";
import { question } from "./question-row.ts";
import { checkPrograms, filters, gitLock, goal, operation, writable } from "./repository-rows.ts";
import { branch, budget, damage, dirty, historyCap, isolation, unfinished } from "./state-rows.ts";

const ROWS: readonly PreflightRow[] = [
  unfinished,
  isolation,
  writable,
  operation,
  gitLock,
  filters,
  dirty,
  historyCap,
  damage,
  question,
  goal,
  budget,
  branch,
  checkPrograms,
  programs,
  rateLimit,
  logins,
];

/** What `doctor` has no lines of its own for. */
const ROWS_OF_DOCTOR: readonly PreflightRow[] = [writable, operation, gitLock, filters, rateLimit];

interface PreflightOptions {
  /** Called just before the documents of the workspace are read, by a tick that really begins. */
  readonly tidy?: () => void;
}

/** The first row that refuses, or null where a tick could begin. It only reads. */
export async function preflightRefusal(
  subject: PreflightSubject,
  { tidy }: PreflightOptions = {},
): Promise<PreflightRefusal | null> {
  for (const row of ROWS) {
    if (row === damage) tidy?.();
    const refused = await row(subject);
    if (refused !== null) return refused;
  }
  return null;
}

/** Everything that refuses and that `doctor` does not look at by itself. */
export async function refusalsForDoctor(subject: PreflightSubject): Promise<readonly PreflightRefusal[]> {
  const refusals = [];
  for (const row of ROWS_OF_DOCTOR) refusals.push(await row(subject));
  return refusals.filter((refused) => refused !== null);
}
