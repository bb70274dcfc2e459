import type { Task } from "../../contract/documents/task.ts";

/** Whether somebody has to be called to do the task. */
export function needsBuilder(task: Task): boolean {
  return "builder" in task && task.builder !== undefined;
}

/** What is to be run on the candidate, with checks of the workflow or without; null where nothing is. */
export function listWantedChecks({
  task: { verification },
  ownChecks,
}: {
  readonly task: Task;
  readonly ownChecks: number;
}): NonNullable<Task["verification"]> | null {
  if (verification === undefined) return null;
  return verification.fast.length + verification.slow.length + ownChecks > 0 ? verification : null;
}
