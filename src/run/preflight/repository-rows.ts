/** The checks before a tick that ask about the repository: whether git can write, and whether its programs are there. */
import { join } from "node:path";
import { isEmptyText } from "../../core/words/is-empty-text.ts";
import { readNow } from "../../io/files/read-now.ts";
import { listGitLockFiles, findGitOperation } from "../../io/git/git-operation.ts";
import { listMissingFilters } from "../../io/git/missing-filters.ts";
import { readHead } from "../../io/git/read-head.ts";
import { listMissingCheckPrograms } from "../workspace/missing-check-programs.ts";
import { refuseGitOperation, refuseUnwritable } from "../workspace/repository-refusals.ts";
import { type PreflightRefusal, type PreflightSubject, makePreflightRefusal, describePaths } from "./preflight-row.ts";

const GOAL_BYTES_MAX = 1024 * 1024;

export function checkWritable({ repository, config }: PreflightSubject): PreflightRefusal | null {
  return refuseUnwritable(repository, config);
}

/** Before the question whether the tree is clean, which it explains. */
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

/** The checks that the task names; what an orchestrator will choose is not known yet. */
export async function checkCheckPrograms(subject: PreflightSubject): Promise<PreflightRefusal | null> {
  const { config, repository, work } = subject;
  const path = repository.environment["PATH"];
  const named = work?.task?.verification;
  if (path === undefined || named === undefined) return null;
  const wanted = new Set([...named.fast, ...named.slow]);
  // What lies in the repository may be what the tick is to make.
  const checks = config.verification.templates.filter(
    ({ id, cmd }) => wanted.has(id) && (cmd.startsWith("/") || !cmd.includes("/")),
  );
  const [missing] = await listMissingCheckPrograms(checks, { path, cwd: repository.root });
  if (missing === undefined) return null;
  const message = `The program ${missing.program} of ${missing.users.join(", ")} was not found.`;
  return makePreflightRefusal("BLOCKED_MISSING_CONFIG", "check_not_found", message);
}

/** Only where an orchestrator plans: everybody else has a task. */
export function checkGoal({ config, workspace, work }: PreflightSubject): PreflightRefusal | null {
  if ((work?.orchestrator ?? null) === null || !isGoalEmpty(workspace)) return null;
  const message = `${config.workspace_dir}/GOAL.md says nothing yet.`;
  return makePreflightRefusal("BLOCKED_MISSING_CONFIG", "goal_empty", message);
}

export function isGoalEmpty(workspace: string): boolean {
  const text = readNow(join(workspace, "GOAL.md"), { bytesMax: GOAL_BYTES_MAX });
  return isEmptyText(text?.toString("utf8") ?? "");
}
