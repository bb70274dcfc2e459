/** The task of a landing: the one that the change was made for, or one of the configuration. */
import { createHash } from "node:crypto";
import { type Choices, chooseGlobs } from "../config/choices.ts";
import type { Config } from "../config/config.ts";
import type { JobCommand } from "../queue/pure/job.ts";
import { findLeftOut, findTask } from "../tick/pure/tick-facts.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { shorten } from "../base/words.ts";
import type { JournalLine } from "../records/event.ts";
import type { Task } from "../records/task.ts";
import { makeCeiling, type Work } from "../workflows/pure/workflow.ts";
import { checkOwnTask, makeOwnTask, type TaskFile, type TaskWishes } from "../tick/read-task.ts";
import type { Misuse } from "../workspace/misuse.ts";

/** What a person says about the change. */
export interface LandingTerms {
  /** They change the configuration of the landing, and the task that the change was made for. */
  readonly choices: Choices;
  readonly wishes: TaskWishes;
  /** The command that made the change has its own scope and limits; null is unknown. */
  readonly command: JobCommand | null;
}

export const NO_TERMS: LandingTerms = { choices: {}, wishes: { fixes: [], updateTests: [] }, command: null };

export interface LandingTask {
  readonly kind: "task";
  readonly task: Task;
  readonly ceiling: Work["ceiling"];
  /** Whether an orchestrator made the task: then the configured scope is a limit. */
  readonly isPlanned: boolean;
  /** Whether a person has left out required checks for it; absent is no. */
  readonly leavesOut?: boolean;
}

/** The task of a reverted tick, if it has its own checks; null for the ticks of a goal, a tree or a campaign. */
export function findRecordedTask(lines: readonly JournalLine[], runId: string, config: Config): LandingTask | null {
  const record = findTickRecord(lines, runId);
  const task = record === null ? null : findTask(record.state);
  const isRelay = record?.events.some((event) => event.type === "tick_started" && event.workflow === "relay") === true;
  if (record === null || task === null || !isRelay || task.task_kind !== "execute") return null;
  const isPlanned = record.events.some(({ type }) => type === "plan_started");
  const leavesOut = findLeftOut(record.state).length > 0;
  return { kind: "task", task, ceiling: config.diff_limits, isPlanned, leavesOut };
}

/** What a person says now counts for a change that was made for another task, too. */
export function applyTerms(task: Task, { choices, wishes }: LandingTerms): TaskFile {
  const { scope, diff_limits: limits, update_tests: known = [] } = task;
  const { checks, new_files, max_lines } = choices;
  const changed = [...new Set([...known, ...wishes.updateTests])];
  return checkOwnTask({
    ...task,
    ...(scope === undefined
      ? {}
      : {
          scope: {
            ...scope,
            allowed_globs: chooseGlobs(scope.allowed_globs, choices),
            allow_new_files: new_files ?? scope.allow_new_files,
          },
        }),
    ...(limits === undefined
      ? {}
      : { diff_limits: { ...limits, max_lines_changed: max_lines ?? limits.max_lines_changed } }),
    ...(checks === undefined ? {} : { verification: { ...task.verification, fast: [], slow: [...checks] } }),
    ...(changed.length === 0 ? {} : { update_tests: changed }),
  });
}

const INTENT_CHARS_MAX = 400;

/** Each commit was limited on its own, so the limits count for each of them. */
export function makeLandingTask(
  name: string /** Of its commits; none for a change that has none. */,
  subjects: readonly string[],
  milestone: string | null,
  { config, terms }: { readonly config: Config; readonly terms: LandingTerms },
): LandingTask | Misuse {
  const own = chooseOwnRules(config, terms.command);
  const times = Math.max(1, subjects.length);
  const ceiling = {
    default_max_files_touched: own.limits.default_max_files_touched * times,
    default_max_lines_changed: own.limits.default_max_lines_changed * times,
  };
  const [first = `the work of ${name}`] = subjects;
  const intent = subjects.length > 1 ? `Land ${subjects.length} commits of ${name}: ${first}` : `Land ${first}`;
  const parts = {
    task_id: `land-${createHash("sha256").update(name).digest("hex").slice(0, 12)}`,
    milestone_id: milestone ?? "landings",
    intent: shorten(intent, INTENT_CHARS_MAX),
    builder: { mode: "patch", patch: shorten(`The commits of ${name}.`, INTENT_CHARS_MAX) },
  };
  const made: TaskFile = makeOwnTask(parts, {
    ...own,
    wishes: terms.wishes,
    checks: terms.choices.checks ?? null,
    maxLines: terms.choices.max_lines ?? null,
    config: { ...config, diff_limits: ceiling },
  });
  return made.kind === "task" ? { kind: "task", task: made.task, ceiling, isPlanned: false } : made;
}

function chooseOwnRules(config: Config, command: JobCommand | null) {
  if (command !== "goal" && command !== "tree" && command !== "campaign")
    return { limits: config.diff_limits, allow: config.scope.default_allowed_globs, isNewFilesAllowed: null };
  const { scope, diff_limits: limits } = config[command];
  return { limits: makeCeiling(limits), allow: scope.allowed_globs, isNewFilesAllowed: scope.allow_new_files };
}
