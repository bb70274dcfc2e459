import { makeFence, neutraliseText } from "../../base/words.ts";
import { findNearestName } from "../../base/nearest-name.ts";
import type { Rules } from "../../records/evidence.ts";
import { type Task, writeTaskText } from "../../records/task.ts";

/**
 * Text of others as a section of a prompt. Its fence is longer than any run of backticks inside, so the text cannot end
 * it. The same text gives the same section, because a prompt with the same beginning is cheaper.
 */

const NOTHING = "(nothing)";

/** A text longer than `bytesMax` is cut at the end of a line, and the section says so. */
export function frameSection(text: string, bytesMax: number): string {
  const whole = neutraliseText(text)
    .replace(/^\s*\n/u, "")
    .trimEnd();
  if (whole === "") return NOTHING;
  const { kept, bytes, bytesKept } = cutToBytes(whole, bytesMax);
  const fence = makeFence(kept);
  const note = bytesKept === bytes ? "" : `\n(cut: the first ${bytesKept} of ${bytes} bytes)`;
  return `${fence}\n${kept}\n${fence}${note}`;
}

export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function cutToBytes(text: string, bytesMax: number): { kept: string; bytes: number; bytesKept: number } {
  const data = new TextEncoder().encode(text);
  if (data.length <= bytesMax) return { kept: text, bytes: data.length, bytesKept: data.length };
  let end = Math.max(0, bytesMax);
  // Every byte of a character but the first starts with the bits 10.
  while (end > 0 && ((data[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const part = new TextDecoder().decode(data.subarray(0, end));
  const lineEnd = part.lastIndexOf("\n");
  const kept = lineEnd > 0 ? part.slice(0, lineEnd) : part;
  return { kept, bytes: data.length, bytesKept: countBytes(kept) };
}

const SLOT = /\{\{(?<name>[^{}]*)\}\}/gu;

/** One sentence without a full stop. */
export function findTemplateProblem(template: string, known: readonly string[]): string | null {
  for (const { groups } of template.matchAll(SLOT)) {
    const name = groups?.["name"] ?? "";
    if (known.includes(name)) continue;
    const nearest = findNearestName(name, known);
    const hint = nearest === null ? describeKnownSlots(known) : `did you mean \`{{${nearest}}}\`?`;
    return `it has the unknown slot \`{{${name}}}\`; ${hint}`;
  }
  return null;
}

function describeKnownSlots(known: readonly string[]): string {
  if (known.length === 0) return "this file has no slots";
  return `known are ${known.map((name) => `\`{{${name}}}\``).join(", ")}`;
}

/** In one pass, so that inserted text is never taken for a slot. */
export function fillTemplate(template: string, slots: Readonly<Record<string, string>>): string {
  return template.replaceAll(
    SLOT,
    (whole, name: string) => (Object.hasOwn(slots, name) ? slots[name] : undefined) ?? whole,
  );
}

/**
 * For programs that take a prompt. It repeats the limits that will be applied. What differs most between tasks comes
 * last, so that models can reuse the common beginning.
 */

/** A task may carry a patch of half a megabyte, which is for git and not for a reader. */
const TASK_BYTES_MAX = 64 * 1024;
const LIST_BYTES_MAX = 16 * 1024;

const SLOTS = {
  FORBIDDEN_GLOBS: (_task, rules) => frameSection(listForbidden(rules).join("\n"), LIST_BYTES_MAX),
  ALLOW_NEW_FILES: (_task, rules) => String(rules.allow_new_files),
  ALLOW_LOCKFILE_CHANGES: (_task, rules) => String(rules.allow_lockfile_changes),
  MAX_FILES_TOUCHED: (_task, rules) => String(rules.max_files_touched ?? "any number of"),
  MAX_LINES_CHANGED: (_task, rules) => String(rules.max_lines_changed ?? "any number of"),
  ALLOWED_GLOBS: (_task, rules) => frameSection(rules.allowed_globs.join("\n"), LIST_BYTES_MAX),
  TASK_JSON: (task, _rules) => frameSection(writeTaskText(task), TASK_BYTES_MAX),
} as const satisfies Record<string, (task: Task, rules: Rules) => string>;

function listForbidden({ forbidden_globs: globs, lifted_paths: lifted = [] }: Rules): readonly string[] {
  return [...globs, ...lifted.map((path) => `(but ${path} may change, because the task names it)`)];
}

export const BUILDER_SLOTS: readonly string[] = Object.keys(SLOTS);

export function composeBuilderPrompt(template: string, task: Task, rules: Rules): string {
  const filled = Object.entries(SLOTS).map(([slot, text]) => [slot, text(task, rules)] as const);
  return fillTemplate(template, Object.fromEntries(filled));
}
