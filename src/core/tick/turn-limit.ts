import type { Task } from "../../contract/documents/task.ts";

/** How many turns a session has, and what set the number. */
export interface TurnLimit {
  readonly max: number;
  readonly key: string;
}

interface TurnQuestion {
  /** What the configuration says. */
  readonly configured: { readonly max: number | null; readonly key: string };
  /** What holds where nobody set a number; null is no limit. */
  readonly usual: number | null;
  readonly task: Pick<Task, "builder">;
  /** Whether a person wrote the task: then the usual number does not bind it. */
  readonly isOwnTask: boolean;
}

/** The turns of a builder: what is configured, or fewer where the task asks for fewer; null is no limit. */
export function findTurnLimit({ configured, usual, task, isOwnTask }: TurnQuestion): TurnLimit | null {
  const { key } = configured;
  const asked = task.builder?.max_turns ?? null;
  const bound = configured.max ?? (isOwnTask && asked !== null ? null : usual);
  if (asked !== null && (bound === null || asked < bound)) return { max: asked, key: "builder.max_turns of the task" };
  return bound === null ? null : { max: bound, key };
}
