/**
 * For programs that take a prompt. It repeats the limits that will be applied. What differs most between tasks comes
 * last, so that models can reuse the common beginning.
 */
import type { Rules } from "../../records/evidence.ts";
import type { Task } from "../../records/task.ts";
import { writeTaskText } from "../../records/task-text.ts";
import { frameSection } from "./framed-section.ts";
import { fillTemplate } from "./prompt-template.ts";

/** A task may carry a patch of half a megabyte, which is for git and not for a reader. */
const TASK_BYTES_MAX = 64 * 1024;
const LIST_BYTES_MAX = 16 * 1024;

const SLOTS = {
  FORBIDDEN_GLOBS: (_task, rules) => frameSection(rules.forbidden_globs.join("\n"), LIST_BYTES_MAX),
  ALLOW_NEW_FILES: (_task, rules) => String(rules.allow_new_files),
  ALLOW_LOCKFILE_CHANGES: (_task, rules) => String(rules.allow_lockfile_changes),
  MAX_FILES_TOUCHED: (_task, rules) => String(rules.max_files_touched ?? "any number of"),
  MAX_LINES_CHANGED: (_task, rules) => String(rules.max_lines_changed ?? "any number of"),
  ALLOWED_GLOBS: (_task, rules) => frameSection(rules.allowed_globs.join("\n"), LIST_BYTES_MAX),
  TASK_JSON: (task, _rules) => frameSection(writeTaskText(task), TASK_BYTES_MAX),
} as const satisfies Record<string, (task: Task, rules: Rules) => string>;

export const BUILDER_SLOTS: readonly string[] = Object.keys(SLOTS);

export function composeBuilderPrompt(template: string, task: Task, rules: Rules): string {
  const filled = Object.entries(SLOTS).map(([slot, text]) => [slot, text(task, rules)] as const);
  return fillTemplate(template, Object.fromEntries(filled));
}
