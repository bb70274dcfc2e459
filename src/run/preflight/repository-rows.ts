/** The checks before a tick that ask about the repository: whether git can write, and whether its programs are there. */
import { join } from "node:path";
import { isEmptyText } from "../../core/words/is-empty-text.ts";
import { readNow } from "../../io/files/read-now.ts";
import { gitLockFiles, gitOperation } from "../../io/git/git-operation.ts";
import { missingFilters } from "../../io/git/missing-filters.ts";
import { readHead } from "../../io/git/read-head.ts";
import { missingCheckPrograms } from "../workspace/missing-check-programs.ts";
import { operationRefusal, unwritableRefusal } from "../workspace/repository-refusals.ts";
import { type PreflightRefusal, type PreflightSubject, refusal, shownPaths } from "./preflight-row.ts";

const GOAL_BYTES_MAX = 1024 * 1024;

export function writable({ repository, config }: PreflightSubject): PreflightRefusal | null {
  return unwritableRefusal(repository, config);
}

/** Before the question whether the tree is clean, which it explains. */
export function operation({ repository }: PreflightSubject): PreflightRefusal | null {
  const found = gitOperation(repository);
  return found === null ? null : operationRefusal(found);
}

export async function gitLock({ repository, signal }: PreflightSubject): Promise<PreflightRefusal | null> {
  const locks = gitLockFiles(repository, (await readHead(repository, signal)).text);
  if (locks.length === 0) return null;
  const message = `Git could not write here, because of ${shownPaths(locks)}.`;
  return refusal("BLOCKED_LOCK_HELD", "git_lock", message);
}

export async function filters({
  repository,
  settings,
  signal,
}: PreflightSubject): Promise<PreflightRefusal | null> {
  const [missing] = await missingFilters({ repository, settings, signal });
  if (missing === undefined) return null;
  const { filter, program } = missing;
  const message = `Git needs the filter ${filter} here, and its program ${program} was not found.`;
  return refusal("BLOCKED_MISSING_CONFIG", "filter_not_found", message);
}

/** The checks that the task names; what an orchestrator will choose is not known yet. */
export async function checkPrograms(subject: PreflightSubject): Promise<PreflightRefusal | null> {
  const { config, repository, work } = subject;
  const path = repository.environment["PATH"];
  const named = work?.task?.verification;
  if (path === undefined || named === undefined) return null;
  const wanted = new Set([...named.fast, ...named.slow]);
  // What lies in the repository may be what the tick is to make.
  const checks = config.verification.templates.filter(
    ({ id, cmd }) => wanted.has(id) && (cmd.startsWith("/") || !cmd.includes("/")),
  );
  const [missing] = await missingCheckPrograms(checks, { path, cwd: repository.root });
  if (missing === undefined) return null;
  const message = `The program ${missing.program} of ${missing.users.join(", ")} was not found.`;
  return refusal("BLOCKED_MISSING_CONFIG", "check_not_found", message);
}

/** Only where an orchestrator plans: everybody else has a task. */
export function goal({ config, workspace, work }: PreflightSubject): PreflightRefusal | null {
  if ((work?.orchestrator ?? null) === null || !isGoalEmpty(workspace)) return null;
  const message = `${config.workspace_dir}/GOAL.md says nothing yet.`;
  return refusal("BLOCKED_MISSING_CONFIG", "goal_empty", message);
}

export function isGoalEmpty(workspace: string): boolean {
  const text = readNow(join(workspace, "GOAL.md"), { bytesMax: GOAL_BYTES_MAX });
  return isEmptyText(text?.toString("utf8") ?? "");
}
