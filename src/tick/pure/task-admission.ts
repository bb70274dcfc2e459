/**
 * Whether a task may start. Everything that reading can refuse is refused here, before a builder is paid: invalid
 * globs, a builder that is not configured, checks that cannot run, and checks beyond the budget.
 */
import type { Code } from "../../base/codes.ts";
import { normaliseMode } from "../../config/command-program.ts";
import type { Config } from "../../config/config.ts";
import type { WorkspaceState } from "../../records/state.ts";
import type { Task } from "../../records/task.ts";
import { NOTHING_SPENT, reservePlanned, reserveWork } from "./budget.ts";
import { findGlobProblems } from "../../checks/pure/config-problems.ts";
import { findPatchTextProblem } from "../../judge/pure/patch-policy.ts";
import { quote } from "../../base/words.ts";
import { planChecks } from "../../checks/pure/verification-plan.ts";

interface AdmissionQuestion {
  readonly config: Config;
  readonly task: Task;
  readonly state: Pick<WorkspaceState, "milestone_id" | "budgets" | "series" | "patch_attempts">;
  /** Then nobody has checked yet whether its milestone can pay. */
  readonly isPlanned?: boolean;
  /** The most builder sessions that a planned task may need; absent is one. */
  readonly builders?: number;
  readonly ownChecks?: number;
  readonly leadsOutside?: (path: string) => boolean;
  readonly reviewers?: number;
  /** Then the cap on patches does not apply. */
  readonly isOwnPatch?: boolean;
  readonly ofVerifyOnly?: boolean;
  /** Then no builder is called. */
  readonly isLanding?: boolean;
}

export type Admission =
  | { readonly kind: "admitted" }
  | {
      readonly kind: "refused";
      readonly code: Extract<
        Code,
        | "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID"
        | "BLOCKED_BUDGET_CAP"
        | "BLOCKED_BUDGET_EXHAUSTED"
        | "STOP_NO_PROGRESS"
        | "STOP_PATCH_INVALID"
        | "STOP_VERIFY_TAINTED"
      >;
      readonly cause: string;
      readonly message: string;
    };

type Refusal = Extract<Admission, { kind: "refused" }>;
type WorkTask = Extract<Task, { task_kind: "execute" | "verify_only" }>;
type Mode = NonNullable<WorkTask["builder"]>["mode"];

const LISTED_MAX = 5;

/** The first reason in the order of the functions below decides. */
export function admitTask(question: AdmissionQuestion): Admission {
  const { task, state } = question;
  const refusal = findStandstillRefusal(question);
  if (refusal !== null) return refusal;
  const account = findAccount(task, state);
  // A question or a control task changes, starts and checks nothing.
  if (task.task_kind !== "execute" && task.task_kind !== "verify_only")
    return findIdleRefusal(question, account) ?? { kind: "admitted" };
  return (
    findOracleRefusal(task, question.isPlanned === true) ??
    findScopeRefusal(task) ??
    findBuilderRefusal(task, question, account) ??
    findChecksRefusal(task, question) ??
    findBudgetRefusal(task, question, account) ?? { kind: "admitted" }
  );
}

/** An agent does not decide which tests still count. */
function findOracleRefusal({ update_tests: globs }: WorkTask, isPlanned: boolean): Refusal | null {
  if (globs === undefined || !isPlanned) return null;
  return refuseTask("update_tests_planned", "Only a person's task may name `update_tests`; leave it out.");
}

/** A series of "continue" tasks goes nowhere. */
function findStandstillRefusal({ task, state, config }: AdmissionQuestion): Refusal | null {
  if (task.control?.action !== "continue") return null;
  const empty = (state.series?.empty_ticks ?? 0) + 1;
  if (empty < config.loop.breakers.empty_ticks) return null;
  const message = `This would be the ${empty}. tick in a row that does nothing.`;
  return { kind: "refused", code: "STOP_NO_PROGRESS", cause: "empty_ticks", message };
}

/** Only the first plan on a spent milestone is paid, to learn whether it opens another; "continue" would ask for more. */
function findIdleRefusal({ task, config, isPlanned }: AdmissionQuestion, account: TaskAccount): Refusal | null {
  if (isPlanned !== true || task.control?.action !== "continue") return null;
  const planned = reservePlanned(account, config.budgets, 0);
  return planned.kind === "blocked" ? { ...planned, kind: "refused" } : null;
}

type TaskAccount = Pick<WorkspaceState, "budgets" | "series" | "patch_attempts">;

/** A task of another milestone opens a new account. The first milestone takes over earlier costs. */
export function findAccount(task: Pick<Task, "milestone_id">, state: AdmissionQuestion["state"]): TaskAccount {
  const isChange = state.milestone_id !== null && state.milestone_id !== task.milestone_id;
  return isChange ? { ...state, budgets: NOTHING_SPENT, patch_attempts: 0 } : state;
}

/** All mistakes at once; none if only its checks are wrong, which has its own code. */
export function listTaskMistakes(task: Task, config: Config): readonly string[] {
  if (task.task_kind !== "execute" && task.task_kind !== "verify_only") return [];
  const mode = findModeProblem(task, config);
  const own = [...findScopeProblems(task), ...findFixesProblems(task), ...(mode === null ? [] : [mode])];
  const plan = planChecks(config.verification, task.verification);
  const ofChecks = plan.kind === "ready" ? [] : plan.problems.map(({ message }) => message);
  return own.length === 0 ? [] : [...own, ...ofChecks];
}

function findScopeProblems({ scope }: WorkTask): readonly string[] {
  return [
    ...findGlobProblems("scope.allowed_globs", scope.allowed_globs),
    ...findGlobProblems("scope.forbidden_globs", scope.forbidden_globs),
  ];
}

function findScopeRefusal(task: WorkTask): Refusal | null {
  const problems = findScopeProblems(task);
  return problems.length === 0 ? null : refuseTask("task_glob_invalid", joinSentences(problems));
}

/** Nobody would run such a check, and so nobody would notice that it still fails. */
function findFixesProblems({ fixes = [], verification: { fast, slow } }: WorkTask): readonly string[] {
  const unknown = fixes.filter((id) => !fast.includes(id) && !slow.includes(id));
  return unknown.map((id) => `fixes: ${quote(id)} is not a check of the task.`);
}

function findBuilderRefusal(
  task: WorkTask,
  { config, isLanding = false, isOwnPatch = false }: AdmissionQuestion,
  account: TaskAccount,
): Refusal | null {
  if (isLanding) return null;
  const { builder } = task;
  const patchAttempts = isOwnPatch ? 0 : account.patch_attempts;
  if (builder?.mode === "patch") return findPatchRefusal(config, patchAttempts) ?? findTextRefusal(builder.patch);
  const problem = findModeProblem(task, config);
  return problem === null ? null : refuseTask("builder_mode_not_configured", problem);
}

function findModeProblem({ builder }: WorkTask, config: Config): string | null {
  const configured = readConfiguredMode(config);
  if (builder === undefined || builder.mode === "patch" || normaliseMode(builder.mode) === configured) return null;
  const choice = configured === "patch" ? "" : `\`${configured}\``;
  const possible = [choice, config.builder.allow_patch_mode ? "`patch`" : ""].filter((mode) => mode !== "");
  return `The task wants the builder \`${builder.mode}\`; the configuration has ${possible.join(" and ")}.`;
}

/** The mode that a task must name to get the configured driver. */
export function readConfiguredMode({ roles, builder }: Config): Mode {
  return roles.builder.driver ?? normaliseMode(builder.default_mode);
}

function findPatchRefusal({ builder }: Config, attempts: number): Refusal | null {
  const code = "STOP_PATCH_INVALID";
  if (!builder.allow_patch_mode) {
    const message = "The task carries a patch, and `builder.allow_patch_mode` is false.";
    return { kind: "refused", code, cause: "patch_mode_not_allowed", message };
  }
  const { max_patch_attempts_per_milestone: max } = builder.patch;
  if (attempts < max) return null;
  const message = `This milestone has had ${attempts} patches; \`builder.patch.max_patch_attempts_per_milestone\` is ${max}.`;
  return { kind: "refused", code, cause: "patch_attempts_used_up", message };
}

function findTextRefusal(patch: string): Refusal | null {
  const problem = findPatchTextProblem(patch);
  return problem === null ? null : { kind: "refused", code: "STOP_PATCH_INVALID", ...problem };
}

function findChecksRefusal(task: WorkTask, { config, leadsOutside = () => false }: AdmissionQuestion): Refusal | null {
  const fixes = findFixesProblems(task);
  if (fixes.length > 0) return refuseTask("fixes_unknown", joinSentences(fixes));
  const plan = planChecks({ ...config.verification, leadsOutside }, task.verification);
  if (plan.kind === "ready") return null;
  const message = joinSentences(plan.problems.map((problem) => problem.message));
  return { kind: "refused", code: "STOP_VERIFY_TAINTED", cause: plan.problems[0].cause, message };
}

/** The worst case after the build: all checks and every reviewer. */
function findBudgetRefusal(task: WorkTask, question: AdmissionQuestion, account: TaskAccount): Refusal | null {
  const { config, ownChecks = 0, reviewers = 0, ofVerifyOnly = false, isPlanned } = question;
  const { task_kind, verification } = task;
  const planned = isPlanned === true ? reservePlanned(account, config.budgets, countBuilders(task, question)) : null;
  if (planned?.kind === "blocked") return { ...planned, kind: "refused" };
  const decision = reserveWork(account, config.budgets, {
    verify_runs: verification.fast.length + verification.slow.length + ownChecks,
    reviewer_calls: task_kind === "execute" || ofVerifyOnly ? reviewers : 0,
  });
  return decision.kind === "ok" ? null : { ...decision, kind: "refused" };
}

function countBuilders({ builder }: WorkTask, { builders = 1 }: AdmissionQuestion): number {
  return builder === undefined || builder.mode === "patch" ? 1 : builders;
}

function refuseTask(cause: string, message: string): Refusal {
  return { kind: "refused", code: "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID", cause, message };
}

/** A few sentences; the rest is counted. */
function joinSentences(sentences: readonly string[]): string {
  const rest = sentences.length - LISTED_MAX;
  return [...sentences.slice(0, LISTED_MAX), ...(rest > 0 ? [`And ${rest} more.`] : [])].join(" ");
}
