/** Preflight rows about the repository and the programs that git and the checks need. */
import { join } from "node:path";
import { isEmptyText } from "../../core/words/is-empty-text.ts";
import { readNow } from "../../io/files/read-now.ts";
import { listGitLockFiles, findGitOperation } from "../../io/git/git-operation.ts";
import { listMissingFilters } from "../../io/git/missing-filters.ts";
import { readHead } from "../../io/git/read-head.ts";
import { refuseMissingCheck } from "../workspace/missing-check-programs.ts";
import { refuseGitOperation, refuseUnwritable } from "../workspace/repository-refusals.ts";
import { type PreflightRefusal, type PreflightSubject, makePreflightRefusal, describePaths } from "./preflight-row.ts";

const GOAL_BYTES_MAX = 1024 * 1024;

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
  return makePreflightRefusal("BLOCKED_LOCK_HELD", "git_lock", message);
}

export async function checkFilters({
  repository,
  settings,
  signal,
}: PreflightSubject): Promise<PreflightRefusal | null> {
  const [missing] = await listMissingFilters({ repository, settings, signal });
  if (missing === undefined) return null;
  const { filter, program } = missing;
  const message = `Git needs the filter ${filter} here, and its program ${program} was not found.`;
  return makePreflightRefusal("BLOCKED_MISSING_CONFIG", "filter_not_found", message);
}

/** The checks of a given task and of the workflow. Those of a plan are looked up once it is made. */
export async function checkCheckPrograms({
  config,
  repository,
  work,
}: PreflightSubject): Promise<PreflightRefusal | null> {
  if (work === undefined || work === null) return null;
  return refuseMissingCheck({ config, repository, task: work.task, own: work.checks.known });
}

/** Only an orchestrator needs the goal. */
export function checkGoal({ config, workspace, work }: PreflightSubject): PreflightRefusal | null {
  if ((work?.orchestrator ?? null) === null || !isGoalEmpty(workspace)) return null;
  const message = `${config.workspace_dir}/GOAL.md is empty.`;
  return makePreflightRefusal("BLOCKED_MISSING_CONFIG", "goal_empty", message);
}

export function isGoalEmpty(workspace: string): boolean {
  const text = readNow(join(workspace, "GOAL.md"), { bytesMax: GOAL_BYTES_MAX });
  return isEmptyText(text?.toString("utf8") ?? "");
}
