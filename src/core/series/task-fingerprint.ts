import type { Task } from "../../contract/documents/task.ts";

/**
 * What a task asks for, whatever it is called: two tasks with the same fingerprint are the same attempt.
 *
 * An orchestrator that proposes its last idea again gives it a new number and other white space, so neither counts.
 * What the work may do counts: the same words with more room are the answer to a change that had too little.
 */
export function fingerprintTask(task: Task): string {
  return JSON.stringify([
    task.task_kind ?? "control",
    words(task.intent),
    builderPart(task),
    scopePart(task),
    [task.verification?.fast, task.verification?.slow, task.verification?.params],
    words(task.question?.prompt),
  ]);
}

function scopePart({ scope, diff_limits: limits }: Task): readonly unknown[] {
  return [
    (scope?.allowed_globs ?? []).toSorted(),
    (scope?.forbidden_globs ?? []).toSorted(),
    [scope?.allow_new_files, scope?.allow_lockfile_changes],
    [limits?.max_files_touched, limits?.max_lines_changed],
  ];
}

function builderPart({ builder }: Task): readonly unknown[] {
  if (builder === undefined) return [];
  const patch = builder.mode === "patch" ? builder.patch : null;
  return [words(builder.instructions), patch, builder.max_turns];
}

function words(text: string | undefined): string {
  return (text ?? "").normalize("NFC").toLowerCase().split(/\s+/).join(" ").trim();
}
