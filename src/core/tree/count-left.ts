import type { FinishedWork } from "../series/left-work.ts";
import type { SeriesTicks } from "../series/series-tick.ts";
import type { Work } from "../workflow/workflow.ts";

interface Left {
  readonly ticks: SeriesTicks;
  /** What a session had finished in a tick that was cut short, and the task that it was for. */
  readonly finished: { readonly task: Work["task"]; readonly work: FinishedWork } | null;
}

/** What the session before left of the same piece of work. */
export function countLeftFor({ finished, ticks }: Left, task: Work["task"]): Pick<Work, "finished" | "continues"> {
  const last = ticks.ticks.findLast(({ isCounted }) => isCounted);
  const unfinished = (isSame(last?.task, task) ? last?.unfinished : null) ?? null;
  return {
    finished: finished !== null && isSame(finished.task, task) ? finished.work : null,
    continues: () => unfinished,
  };
}

/** A person may have rewritten the leaf since. */
function isSame(one: Work["task"] | undefined, other: Work["task"]): boolean {
  return one?.task_id === other?.task_id && one?.intent === other?.intent;
}
