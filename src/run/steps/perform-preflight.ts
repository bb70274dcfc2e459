/**
 * Whether a tick may begin: the rows of the table that come after the lock, in their order.
 *
 * A tick that was cut short comes first. It explains a dirty tree, and "commit or stash it" would be the wrong advice.
 */
import { fallbackConfigs } from "../../agents/fallbacks.ts";
import { join } from "node:path";
import type { CodeOf } from "../../contract/values/codes.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import type { FoldedLines } from "../../contract/journal/folded-lines.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { preflightBudget } from "../../core/tick/budget.ts";
import { accountFor } from "../../core/tick/task-admission.ts";
import { needsBuilder } from "../../core/tick/task-needs.ts";
import { isWrittenByRelais } from "../../core/setup/workspace-layout.ts";
import { WorkspaceFold } from "../../core/history/workspace-state.ts";
import { dirtyPaths } from "../../io/git/git-status.ts";
import { readHead } from "../../io/git/read-head.ts";
import { missingProgram } from "../workspace/agent-programs.ts";
import { historyBytes } from "../workspace/history.ts";
import { unfinishedTick } from "../workspace/journal-state.ts";
import { damagedDocuments, removeHalfWritten } from "../workspace/runner-documents.ts";
import { seriesBranchInTheWay } from "../workspace/series-branch.ts";
import type { RunningSession } from "../session/tick-session.ts";

interface Refusal {
  readonly code: CodeOf<"blocked">;
  readonly cause: string;
  readonly message: string;
}

const SHOWN_PATHS_MAX = 5;
const MEGABYTE = 1024 * 1024;

/** What the rows look at: a tick that is about to begin, or only the question whether one could. */
export interface PreflightSubject extends Pick<
  RunningSession,
  "repository" | "workspace" | "config" | "settings" | "runId" | "signal"
> {
  readonly journal: FoldedLines;
  /** Not known where nobody has chosen a task yet. */
  readonly work?: Pick<
    RunningSession["work"],
    "task" | "orchestrator" | "builder" | "review" | "settle" | "hasOwnBranch" | "finished"
  > | null;
}

type Row = (subject: PreflightSubject) => Refusal | null | Promise<Refusal | null>;

const ROWS: readonly Row[] = [unfinished, isolation, dirty, historyCap, damage, budget, branch, programs];

/** The first row that refuses, or null where a tick could begin. It only reads. */
export function preflightRefusal(subject: PreflightSubject): Promise<Refusal | null> {
  return firstRefusal(ROWS, subject);
}

async function firstRefusal(rows: readonly Row[], subject: PreflightSubject): Promise<Refusal | null> {
  for (const row of rows) {
    const refused = await row(subject);
    if (refused !== null) return refused;
  }
  return null;
}

/** Before a tick that really begins, what a crash left half-written is cleared away just before the documents are read. */
function tidyBefore(row: Row): Row {
  if (row !== damage) return row;
  return (subject) => {
    const { repository, workspace, config } = subject;
    removeHalfWritten({ root: repository.root, workspace, cleanup: config.runner.crash_cleanup });
    return damage(subject);
  };
}

export async function performPreflight(session: RunningSession): Promise<TickEvent> {
  const refused = await firstRefusal(ROWS.map(tidyBefore), session);
  if (refused !== null) return { type: "refused", ...refused };
  const head = await readHead(session.repository, session.signal);
  if (head.commit === null) throw new InvariantError("HEAD lost its commit between two looks");
  return {
    type: "preflight_passed",
    base_commit: head.commit,
    head: head.text,
    warnings: [...warnings(session)],
  };
}

function unfinished({ journal, runId }: PreflightSubject): Refusal | null {
  const open = unfinishedTick(journal, runId);
  return open === null ? null : refusal(open.code, open.cause, open.message);
}

function isolation({ config }: PreflightSubject): Refusal | null {
  if (config.sandbox === "required") {
    return refusal(
      "BLOCKED_SANDBOX_UNAVAILABLE",
      "no_sandbox",
      "`sandbox` is required, but this version of relais has none yet.",
    );
  }
  if (config.isolation === "auto" || config.isolation === "in_place") return null;
  const message = `\`isolation\` is ${config.isolation}, but this version of relais works in place only.`;
  return refusal("BLOCKED_MISSING_CONFIG", "isolation_unavailable", message);
}

async function dirty({ repository, settings, signal, config }: PreflightSubject): Promise<Refusal | null> {
  const timeoutMs = config.runner.max_tick_seconds * 1000;
  const paths = await dirtyPaths({ repository, settings, signal, timeoutMs });
  if (paths.length === 0) return null;
  // Committing these would make the tree dirty after every tick.
  const own = paths.filter((path) => isWrittenByRelais(path, config));
  if (own.length === 0) return refusal("BLOCKED_DIRTY_WORKTREE", "dirty", `Not committed: ${shown(paths)}.`);
  return refusal("BLOCKED_DIRTY_WORKTREE", "workspace_not_ignored", `Git does not ignore ${shown(own)}.`);
}

function shown(paths: readonly string[]): string {
  const more = paths.length > SHOWN_PATHS_MAX ? ` and ${paths.length - SHOWN_PATHS_MAX} more` : "";
  return `${paths.slice(0, SHOWN_PATHS_MAX).join(", ")}${more}`;
}

function historyCap({ repository, config }: PreflightSubject): Refusal | null {
  const { enabled, dir, max_mb: cap } = config.history;
  if (!enabled) return null;
  const bytes = historyBytes(join(repository.root, dir));
  if (bytes <= cap * MEGABYTE) return null;
  const megabytes = Math.ceil((bytes / MEGABYTE) * 10) / 10;
  const message = `The history has ${megabytes} MB; history.max_mb is ${cap}.`;
  return refusal("BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED", "history_cap", message);
}

async function damage({ workspace, config }: PreflightSubject): Promise<Refusal | null> {
  const problems = await damagedDocuments({ workspace, cleanup: config.runner.crash_cleanup });
  if (problems.length === 0) return null;
  return refusal("BLOCKED_CRASH_RECOVERY_REQUIRED", "damaged_documents", problems.join(" "));
}

function budget(session: PreflightSubject): Refusal | null {
  const decision = budgetDecision(session);
  return decision.kind === "ok" ? null : refusal(decision.code, decision.cause, decision.message);
}

/** A commit that could not be made is known before anybody is paid. */
async function branch({ repository, config, work, signal }: PreflightSubject): Promise<Refusal | null> {
  if (!isCommitted(config, work)) return null;
  const { text, commit } = await readHead(repository, signal);
  if (commit === null) return null;
  const head = { text, commit };
  const inTheWay = await seriesBranchInTheWay({ repository, config, head, hasOwnBranch: work?.hasOwnBranch });
  if (inTheWay === null) return null;
  const message = `The branch ${inTheWay} conflicts with the prefix ${config.git.branch_prefix}.`;
  return refusal("BLOCKED_MISSING_CONFIG", "branch_in_the_way", message);
}

/** Whether a green tick would commit; one whose task is no work changes nothing. */
function isCommitted({ git }: PreflightSubject["config"], work: PreflightSubject["work"]): boolean {
  if (work === undefined || work === null) return git.commit === "always";
  const isWork = work.task === null || work.task.task_kind === "execute";
  return isWork && work.settle.onSuccess === "commit";
}

/** Last, because it depends on this machine: missing programs are found before a session costs money. */
async function programs({ config, repository, work }: PreflightSubject): Promise<Refusal | null> {
  const question = { root: repository.root, path: repository.environment["PATH"] };
  const calls = rolesOf(work).flatMap((role) =>
    [config, ...fallbackConfigs(config, role)].map((each) => ({ role, config: each })),
  );
  for (const { role, config: each } of calls) {
    const message = await missingProgram(role, { ...question, config: each });
    if (message === null) continue;
    return role === "builder"
      ? refusal("BLOCKED_BUILDER_COMMAND_NOT_FOUND", "not_found", message)
      : refusal("BLOCKED_MISSING_CONFIG", `${role}_not_found`, message);
  }
  return null;
}

/** Who would be called. Where nobody has chosen the work yet, a builder is what nearly every tick needs. */
function rolesOf(work: PreflightSubject["work"]) {
  if (work === undefined || work === null) return ["builder"] as const;
  return [
    ...(work.orchestrator === null ? [] : (["orchestrator"] as const)),
    ...(work.builder === null ? [] : (["builder"] as const)),
    ...(work.review === null ? [] : [work.review.plan.role]),
  ];
}

function warnings(session: PreflightSubject): readonly string[] {
  const decision = budgetDecision(session);
  return decision.kind === "ok" ? decision.warnings : [];
}

/** A task of another milestone is paid from an account of its own. */
function budgetDecision({ journal, config, work }: PreflightSubject): ReturnType<typeof preflightBudget> {
  const state = journal.fold(WorkspaceFold).state(config.budgets);
  const task = work?.task ?? null;
  const account = task === null ? state : accountFor(task, state);
  return preflightBudget(account, config.budgets, {
    usesOrchestrator: (work?.orchestrator ?? null) !== null,
    maxParseRetries: config.orchestrator.max_parse_retries_per_tick,
    usesBuilder: mayBuild(work),
    usesReviewers: (work?.review ?? null) !== null,
    fallbacks: fallbacksOf(work),
  });
}

const countFallbacks = (agent: { readonly fallbacks: readonly unknown[] } | null | undefined): number =>
  agent?.fallbacks.length ?? 0;

function fallbacksOf(work: PreflightSubject["work"]) {
  return { orchestrator: countFallbacks(work?.orchestrator), builder: countFallbacks(work?.builder) };
}

/** A patch is counted as a call, too; work that an earlier tick had finished was paid for then. */
function mayBuild(work: PreflightSubject["work"]): boolean {
  if (work === undefined || work === null) return true;
  return (work.finished ?? null) === null && (work.task === null || needsBuilder(work.task));
}

function refusal(code: CodeOf<"blocked">, cause: string, message: string): Refusal {
  return { code, cause, message };
}
