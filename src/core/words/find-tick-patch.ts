import type { Task } from "../../contract/documents/task.ts";

/** The patch that a task carries in place of work for a builder. */
export function findTickPatch(task: Task | null): string | null {
  const builder = task !== null && "builder" in task ? task.builder : undefined;
  return builder?.mode === "patch" ? builder.patch : null;
}
