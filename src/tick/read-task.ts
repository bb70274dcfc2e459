import { isAbsolute, resolve } from "node:path";
import { parseWith } from "../base/schema-error.ts";
import { Task } from "../records/task.ts";
import { extractJson } from "../base/strict-json.ts";
import { readBounded } from "../system/bounded-file.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import type { Config } from "../config/config.ts";
import { listPlainChecks } from "../checks/pure/verification-plan.ts";

export type TaskFile = { readonly kind: "task"; readonly task: Task; readonly taskText: string } | Misuse;

const TASK_BYTES_MAX = 1024 * 1024;

/** The path is relative to `cwd`. */
export async function readTaskFile(file: string, cwd: string): Promise<TaskFile> {
  const read = await readBounded(isAbsolute(file) ? file : resolve(cwd, file), TASK_BYTES_MAX);
  if (read.kind === "missing") return reportMisuse(`The task file ${file} does not exist.`);
  if (read.kind === "refused") return reportMisuse(`The task file ${file} cannot be used: ${read.reason}.`);
  const extracted = extractJson(read.data);
  if (extracted.kind === "refused")
    return reportMisuse(`The task file ${file} is not a JSON object: ${extracted.message}.`);
  const parsed = parseWith(Task, extracted.value);
  if (parsed.kind === "valid") {
    return { kind: "task", task: parsed.value, taskText: writeTask(parsed.value) };
  }
  return reportMisuse(
    `The task file ${file} is not a valid task.`,
    parsed.problems.map(({ message }) => message),
  );
}

/** The limits of a task; smaller ones of the configuration count. */
const TASK_LIMITS = { files: 500, lines: 20_000 } as const;
const CHECKS_MAX = 16;

interface TaskParts {
  readonly task_id: string;
  readonly milestone_id: string;
  readonly intent: string;
  readonly builder: object;
}

export interface TaskWishes {
  readonly fixes: readonly string[];
  readonly updateTests: readonly string[];
}

interface TaskOptions {
  readonly config: Config;
  readonly allow: readonly string[];
  /** Null takes what the configuration says. */
  readonly isNewFilesAllowed: boolean | null;
  /** Ids of templates; null takes every one that needs no parameters. */
  readonly checks: readonly string[] | null;
  /** Null takes the limit of the configuration. */
  readonly maxLines: number | null;
  readonly wishes: TaskWishes;
}

/**
 * The task of a patch or a sentence. The configuration gives what the options do not: where changes are allowed, how
 * large they may be, and every check that needs no parameters. Its milestone is the current one, so that it does not
 * start a new budget.
 */
export function makeOwnTask(parts: TaskParts, options: TaskOptions): TaskFile {
  const { config, allow, isNewFilesAllowed, checks, maxLines, wishes } = options;
  const { scope, diff_limits: limits, verification } = config;
  const slow = checks ?? listPlainChecks(verification);
  if (slow.length > CHECKS_MAX) return reportMisuse(`A task has at most ${CHECKS_MAX} checks: name them with --check.`);
  const { task_id, milestone_id, intent, builder } = parts;
  return checkOwnTask({
    task_id,
    milestone_id,
    task_kind: "execute",
    intent,
    scope: {
      allowed_globs: allow,
      forbidden_globs: [],
      allow_new_files: isNewFilesAllowed ?? scope.default_allow_new_files,
      allow_lockfile_changes: scope.default_allow_lockfile_changes,
    },
    diff_limits: {
      max_files_touched: Math.min(limits.default_max_files_touched, TASK_LIMITS.files),
      max_lines_changed: maxLines ?? Math.min(limits.default_max_lines_changed, TASK_LIMITS.lines),
    },
    // Slow, because they may need the time of a whole test suite.
    verification: { fast: [], slow },
    ...(wishes.fixes.length === 0 ? {} : { fixes: [...wishes.fixes] }),
    ...(wishes.updateTests.length === 0 ? {} : { update_tests: [...wishes.updateTests] }),
    builder,
  });
}

/** A task that options have made. */
export function checkOwnTask(task: object): TaskFile {
  const parsed = parseWith(Task, task);
  if (parsed.kind === "valid") return { kind: "task", task: parsed.value, taskText: writeTask(parsed.value) };
  return reportMisuse(
    "The options do not make a valid task.",
    parsed.problems.map(({ message }) => message),
  );
}

export const writeTask = (task: Task): string => `${JSON.stringify(task, null, 2)}\n`;
