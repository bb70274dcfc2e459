import type { Task } from "./task.ts";

/** A task for a prompt. What is new in each task comes last, so that prompts share as much of it as they can. */
export function writeTaskText({ task_id, intent, builder, ...rest }: Task): string {
  return JSON.stringify({ ...rest, task_id, intent, builder }, null, 2);
}
