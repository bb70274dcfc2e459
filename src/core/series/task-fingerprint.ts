import type { Task } from "../../contract/task.ts";

/**
 * What a task asks for, whatever it is called: two tasks with the same fingerprint are the same attempt.
 *
 * An orchestrator that proposes its last idea again gives it a new number and other white space, so neither counts.
 */
export function taskFingerprint(task: Task): string {
  return JSON.stringify([
    task.task_kind ?? "control",
    words(task.intent),
    builderPart(task),
    (task.scope?.allowed_globs ?? []).toSorted(),
    [task.verification?.fast, task.verification?.slow],
    words(task.question?.prompt),
  ]);
}

function builderPart({ builder }: Task): readonly (string | null)[] {
  if (builder === undefined) return [];
  return [words(builder.instructions), builder.mode === "patch" ? builder.patch : null];
}

function words(text: string | undefined): string {
  return (text ?? "").normalize("NFC").toLowerCase().split(/\s+/).join(" ").trim();
}
