import type { Task } from "../../records/task.ts";

export interface TurnLimit {
  readonly max: number;
  readonly key: string;
}

interface TurnQuestion {
  readonly configured: { readonly max: number | null; readonly key: string };
  /** Null is no limit. */
  readonly usual: number | null;
  readonly task: Pick<Task, "builder">;
  /** The usual limit does not bind a person's own task. */
  readonly isOwnTask: boolean;
}

/** The configured turns, or fewer if the task asks for fewer; null is no limit. */
export function findTurnLimit({ configured, usual, task, isOwnTask }: TurnQuestion): TurnLimit | null {
  const { key } = configured;
  const asked = task.builder?.max_turns ?? null;
  const bound = configured.max ?? (isOwnTask && asked !== null ? null : usual);
  if (asked !== null && (bound === null || asked < bound)) return { max: asked, key: "builder.max_turns of the task" };
  return bound === null ? null : { max: bound, key };
}
