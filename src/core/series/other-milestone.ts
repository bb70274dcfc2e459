import type { Task } from "../../contract/documents/task.ts";
import type { SeriesTick } from "./series-tick.ts";

/** The cause of a tick that was refused because its task belongs to another milestone than the series. */
export const MILESTONE_CHANGED = "milestone_changed";

/** The milestone of the first task of a series, where this task belongs to another one; null where it does not. */
export function findOtherMilestone(ticks: readonly SeriesTick[], task: Task): string | null {
  const first = ticks.find((tick) => tick.task !== null)?.task?.milestone_id ?? task.milestone_id;
  return first === task.milestone_id ? null : first;
}
