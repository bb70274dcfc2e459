/**
 * `relais run --patch`: makes a task from a diff.
 *
 * The configuration gives what the options do not: where changes are allowed, how large they may be, and every
 * check that needs no parameters. The milestone is the current one, so that a patch does not start a new
 * budget.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { Config } from "../../contract/config/config.ts";
import { parseWith } from "../../contract/schema/schema-error.ts";
import type { WorkspaceState } from "../../contract/documents/state.ts";
import { Task } from "../../contract/documents/task.ts";
import type { PatchText } from "./read-patch.ts";
import type { TaskFile } from "./read-task.ts";

/** The limits of a task; smaller ones of the configuration count. */
const TASK_LIMITS = { files: 500, lines: 20_000 } as const;
const CHECKS_MAX = 16;

interface PatchContext {
  readonly config: Config;
  readonly state: Pick<WorkspaceState, "milestone_id">;
}

export function makePatchTask({ patch, source }: PatchText, { config, state }: PatchContext): TaskFile {
  const { scope, diff_limits: limits } = config;
  const checks = source.checks ?? listOwnChecks(config);
  if (checks.length > CHECKS_MAX) return misused(`A task has at most ${CHECKS_MAX} checks: name them with --check.`);
  const parsed = parseWith(Task, {
    task_id: `patch-${createHash("sha256").update(patch).digest("hex").slice(0, 12)}`,
    milestone_id: state.milestone_id ?? "patches",
    task_kind: "execute",
    intent: source.intent ?? `Apply ${source.file === "-" ? "a patch" : basename(source.file)}.`,
    scope: {
      allowed_globs: source.allow ?? scope.default_allowed_globs,
      forbidden_globs: [],
      allow_new_files: source.isNewFilesAllowed || scope.default_allow_new_files,
      allow_lockfile_changes: scope.default_allow_lockfile_changes,
    },
    diff_limits: {
      max_files_touched: Math.min(limits.default_max_files_touched, TASK_LIMITS.files),
      max_lines_changed: Math.min(limits.default_max_lines_changed, TASK_LIMITS.lines),
    },
    // Slow, because they may need the time of a whole test suite.
    verification: { fast: [], slow: checks },
    builder: { mode: "patch", patch },
  });
  if (parsed.kind === "valid")
    return { kind: "task", task: parsed.value, taskText: `${JSON.stringify(parsed.value, null, 2)}\n` };
  const problems = parsed.problems.map(({ message }) => message);
  return { ...misused("The options do not make a valid task."), problems };
}

function listOwnChecks({ verification }: Config): readonly string[] {
  return verification.templates.filter(({ params = {} }) => Object.keys(params).length === 0).map(({ id }) => id);
}

function misused(message: string): Extract<TaskFile, { kind: "misused" }> {
  return { kind: "misused", message, problems: [] };
}
