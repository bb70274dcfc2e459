/** Preflight rows about relais itself and the working tree. */
import { join } from "node:path";
import { checkBudget } from "./pure/budget.ts";
import { findAccount } from "./pure/task-admission.ts";
import { findSettlement, needsBuilder } from "./pure/tick-facts.ts";
import { findLastAccepted } from "../journal/pure/journal-runs.ts";
import { isOwnFile, isWrittenByRelais } from "../config/workspace-layout.ts";
import { countNoun } from "../base/words.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { isFile } from "../system/read-files.ts";
import { listDirtyPaths } from "../git/git-status.ts";
import { readHead } from "../git/head.ts";
import { measureHistory } from "../workspace/history.ts";
import { findUnfinishedTick } from "../workspace/journal-state.ts";
import { chooseIsolation } from "../place/choose-place.ts";
import { listRoots } from "../workspace/lines-of-repository.ts";
import { listDamagedDocuments } from "../workspace/runner-documents.ts";
import { findSeriesBranchInTheWay, nameOwnBranch } from "../workspace/series-branch.ts";
import { probeTickSandbox } from "../place/tick-sandbox.ts";
import { type PreflightRefusal, type PreflightSubject, type PreflightWork, describePaths } from "./preflight-row.ts";
import { UNANSWERED } from "./pure/find-next.ts";

const MEGABYTE = 1024 * 1024;

export function checkUnfinished({ journal, runId }: PreflightSubject): PreflightRefusal | null {
  const open = findUnfinishedTick(journal, runId);
  return open === null ? null : { code: open.code, cause: open.cause, message: open.message };
}

export async function checkIsolation(subject: PreflightSubject): Promise<PreflightRefusal | null> {
  const { config, repository, stateDirectory } = subject;
  const probe = config.sandbox === "required" ? await probeTickSandbox(subject) : null;
  if (probe?.kind === "refused") {
    return {
      code: "BLOCKED_SANDBOX_UNAVAILABLE",
      cause: "no_sandbox",
      message: `\`sandbox\` is required, but it does not work here: ${probe.reason}.`,
    };
  }
  const { isolation, refusals } = await chooseIsolation({
    isolation: config.isolation,
    repository,
    stateDirectory,
    remembers: true,
  });
  if (isolation !== null) return null;
  const [reason] = Object.values(refusals);
  const message = `\`isolation\` is ${config.isolation}, which does not work here: ${reason ?? "unknown"}.`;
  return { code: "BLOCKED_MISSING_CONFIG", cause: "isolation_unavailable", message };
}

export async function checkDirty(subject: PreflightSubject): Promise<PreflightRefusal | null> {
  const { repository, settings, signal, config } = subject;
  const timeoutMs = config.runner.max_tick_seconds * 1000;
  const paths = await listDirtyPaths({ repository, settings, signal, timeoutMs });
  if (paths.length === 0) return null;
  // Committing these would make the tree dirty after every tick.
  const own = paths.filter((path) => isWrittenByRelais(path, config));
  if (own.length === 0) return (await refuseWaitingChange(paths, subject)) ?? judgeDirt(paths, subject);
  return {
    code: "BLOCKED_DIRTY_WORKTREE",
    cause: "workspace_not_ignored",
    message: `Git does not ignore ${describePaths(own)}.`,
  };
}

/** Dirt that is only the last kept change: the person decides about it, and stashes nothing. */
async function refuseWaitingChange(
  paths: readonly string[],
  { repository, journal, signal, work }: PreflightSubject,
): Promise<PreflightRefusal | null> {
  const last = findLastAccepted(journal, listRoots(journal, repository));
  if (last === null || findSettlement(last.state).isCommitted) return null;
  const { base, judged } = last.facts;
  const touched = judged.touched_paths;
  // With edits of the person around it, it would count as one of them from now on.
  const isItsOwn =
    work?.takesUncommitted === true
      ? touched.length > 0 && touched.every((path) => paths.includes(path))
      : paths.every((path) => touched.includes(path));
  if (!isItsOwn || (await readHead(repository, signal)).commit !== base.base_commit) return null;
  const own = paths.filter((path) => touched.includes(path));
  const message = `The change of ${last.runId} is not committed: ${describePaths(own)}.`;
  return { code: "BLOCKED_DIRTY_WORKTREE", cause: "change_waits", message };
}

/** A person may take it as the base of a tick; then a copy of the tree must hold it. */
async function judgeDirt(paths: readonly string[], subject: PreflightSubject): Promise<PreflightRefusal | null> {
  const { repository, stateDirectory, config, work } = subject;
  if (work?.takesUncommitted !== true) return refuseDirty(paths, subject);
  const packages = paths.filter((path) => PACKAGES.test(path));
  if (packages.length > 0) return refusePackages(packages);
  const { isolation } = await chooseIsolation({
    isolation: config.isolation,
    repository,
    stateDirectory,
    remembers: true,
  });
  if (isolation !== "in_place") return null;
  const message = `Ticks work in place here, which needs a clean tree. Not committed: ${describePaths(paths)}.`;
  return { code: "BLOCKED_DIRTY_WORKTREE", cause: "dirty_in_place", message };
}

const PACKAGES = /(?:^|\/)node_modules\//u;

function refusePackages(paths: readonly string[]): PreflightRefusal {
  const message = `Git does not ignore node_modules/ (${countNoun(paths.length, "file")}).`;
  return { code: "BLOCKED_DIRTY_WORKTREE", cause: "packages_not_ignored", message };
}

/** Relais' own files come first: `git stash -u` would hide the configuration. */
function refuseDirty(paths: readonly string[], { repository, config }: PreflightSubject): PreflightRefusal {
  const own = paths.filter((path) => isOwnFile(path, config) && isFile(join(repository.root, path)));
  const others = paths.filter((path) => !own.includes(path));
  const packages = others.filter((path) => PACKAGES.test(path));
  if (own.length === 0 && packages.length === others.length) return refusePackages(packages);
  const rest = others.filter((path) => !PACKAGES.test(path));
  const message = `Not committed: ${describePaths([...own, ...rest, ...packages])}.`;
  return { code: "BLOCKED_DIRTY_WORKTREE", cause: own.length === 0 ? "dirty" : "config_uncommitted", message };
}

export async function checkHistoryCap({
  repository,
  config,
  stateDirectory,
  journal,
}: PreflightSubject): Promise<PreflightRefusal | null> {
  const { enabled, dir, max_mb: cap } = config.history;
  if (!enabled) return null;
  const bytes = await measureHistory({ history: join(repository.root, dir), stateDirectory }, journal);
  if (bytes <= cap * MEGABYTE) return null;
  const megabytes = Math.ceil((bytes / MEGABYTE) * 10) / 10;
  const message = `The history has ${megabytes} MB; history.max_mb is ${cap}.`;
  return { code: "BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED", cause: "history_cap", message };
}

export async function checkDamage({ workspace, config }: PreflightSubject): Promise<PreflightRefusal | null> {
  const problems = await listDamagedDocuments({ workspace, cleanup: config.runner.crash_cleanup });
  if (problems.length === 0) return null;
  return { code: "BLOCKED_CRASH_RECOVERY_REQUIRED", cause: "damaged_documents", message: problems.join(" ") };
}

export function checkBudgetRow(session: PreflightSubject): PreflightRefusal | null {
  const decision = decideBudget(session);
  return decision.kind === "ok" ? null : { code: decision.code, cause: decision.cause, message: decision.message };
}

/** An impossible commit is found before an agent is called. */
export async function checkBranch(subject: PreflightSubject): Promise<PreflightRefusal | null> {
  const { repository, config, work, signal } = subject;
  if (!wouldCommit(config, work)) return null;
  const { text, commit } = await readHead(repository, signal);
  if (commit === null) return null;
  const head = { text, commit };
  const inTheWay = await findSeriesBranchInTheWay({
    repository,
    config,
    head,
    ownBranch: subject.ownBranch ?? nameOwnBranch(config, "any", ""),
    hasOwnBranch: work?.hasOwnBranch,
    commitsHere: work?.commitsHere,
  });
  if (inTheWay === null) return null;
  const message = `The branch ${inTheWay} conflicts with the prefix ${config.git.branch_prefix}.`;
  return { code: "BLOCKED_MISSING_CONFIG", cause: "branch_in_the_way", message };
}

/** Whether a successful tick would commit; a question or verify task changes nothing. */
function wouldCommit({ git }: PreflightSubject["config"], work: PreflightSubject["work"]): boolean {
  if (work === undefined || work === null) return git.commit === "always";
  const isWork = work.task === null || work.task.task_kind === "execute";
  return isWork && work.settle.onSuccess === "commit";
}

export function readBudgetWarnings(session: PreflightSubject): readonly string[] {
  const decision = decideBudget(session);
  return decision.kind === "ok" ? decision.warnings : [];
}

/** Another milestone has its own counters. */
function decideBudget({ journal, config, work, ...subject }: PreflightSubject): ReturnType<typeof checkBudget> {
  const state = journal.fold(WorkspaceFold).state(config.budgets);
  const task = work?.task ?? null;
  const account = task === null ? state : findAccount(task, state);
  return checkBudget(account, config.budgets, {
    maxParseRetries: config.orchestrator.max_parse_retries_per_tick,
    usesBuilder: mayBuild(work),
    attempts: countAttempts(subject),
    ...(work ? listNeeds(work, config) : UNKNOWN_WORK),
  });
}

const UNKNOWN_WORK = { usesOrchestrator: false, usesChecks: false, usesReviewers: false } as const;

function listNeeds(work: PreflightWork, config: PreflightSubject["config"]) {
  const { orchestrator, builder, review, leadsTo, mayOpenMilestone = false } = work;
  return {
    usesOrchestrator: orchestrator !== null,
    usesChecks: mayCheck(work, config) || leadsTo?.checks === true,
    usesReviewers: review !== null || leadsTo?.review === true,
    mayOpenMilestone,
    fallbacks: { orchestrator: countFallbacks(orchestrator), builder: countFallbacks(builder) },
  };
}

/** A plan may name any check of the configuration. */
function mayCheck({ task, checks }: PreflightWork, { verification }: PreflightSubject["config"]): boolean {
  if (checks.max > 0) return true;
  if (task === null) return verification.templates.length > 0;
  const { fast = [], slow = [] } = task.verification ?? {};
  return fast.length + slow.length > 0;
}

const countAttempts = ({ attempts }: Pick<PreflightSubject, "attempts">): number => attempts?.count ?? 1;

const countFallbacks = (agent: { readonly fallbacks: readonly unknown[] } | null): number =>
  agent?.fallbacks.length ?? 0;

/** A patch counts as a call, too; adopted work was counted by its own tick. */
function mayBuild(work: PreflightSubject["work"]): boolean {
  if (work === undefined || work === null) return true;
  if ((work.landing ?? null) !== null) return false;
  return (work.finished ?? null) === null && (work.task === null || needsBuilder(work.task));
}

/** An open question would only be asked again. It does not block a task file. */
export function checkQuestion({ journal, work }: PreflightSubject): PreflightRefusal | null {
  const asked = journal.fold(WorkspaceFold).question;
  if ((work?.orchestrator ?? null) === null || asked === null || asked.answer !== null) return null;
  const { run_id: runId, prompt, choices } = asked;
  const message = `The question of the tick ${runId} waits for an answer.`;
  return { code: "STOP_QUESTION", cause: UNANSWERED, message, question: { prompt, choices } };
}
