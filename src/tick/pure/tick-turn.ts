import { describeOpenTurn } from "./turns.ts";
import { reportIteration } from "./report-parts.ts";
import { findOutcome, findReview, findStart, findTask } from "./tick-facts.ts";
import type { TickState } from "./tick-state.ts";

/** How the turn of this tick ended, in words; null if the tick is no such turn. */
export function findOpenTurn(state: TickState): string | null {
  const [start, outcome] = [findStart(state), findOutcome(state)];
  if (start === null || outcome === null) return null;
  return describeOpenTurn({
    workflow: start.workflow,
    code: outcome.code,
    ...reportIteration(state),
    taskId: findTask(state)?.task_id ?? null,
    quorum: start.review?.quorum ?? 0,
    votes: (findReview(state)?.reviews ?? []).map(({ vote }) => vote),
  });
}
