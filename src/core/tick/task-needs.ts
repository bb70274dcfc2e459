import type { Task } from "../../contract/documents/task.ts";
import type { TickState } from "./tick-state.ts";

/** Whether somebody has to be called to do the task. */
export function needsBuilder(task: Task): boolean {
  return "builder" in task && task.builder !== undefined;
}

/** Whether anything is to be run on the candidate, by the task or by the workflow. */
export function hasChecks({ task, ownChecks }: Pick<TickState, "task" | "ownChecks">): boolean {
  if (task === null || !("verification" in task) || task.verification === undefined) return false;
  return task.verification.fast.length + task.verification.slow.length + ownChecks > 0;
}
