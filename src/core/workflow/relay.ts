import type { Config } from "../../contract/config/config.ts";
import { RELAY_TURNS } from "../../contract/config/roles.ts";
import type { Task } from "../../contract/documents/task.ts";
import { findConfiguredReview } from "../review/configured-review.ts";
import { TASK_ONLY } from "./builder-brief.ts";
import type { OwnChecks, Work, Workflow } from "./workflow.ts";

const NO_CHECKS: OwnChecks = { max: 0, known: [], choose: () => [] };

/**
 * The relay of a single task, known beforehand or proposed by an orchestrator: one tick, and then the series is over.
 *
 * A green tick leaves its change to the person who gave the task, unless the configuration has every change committed;
 * a red one is put back.
 */
export function makeRelay(task: Task | null, config: Config): Workflow<{ readonly isOver: boolean }> {
  const work: Work = {
    task,
    ceiling: config.diff_limits,
    brief: TASK_ONLY,
    checks: NO_CHECKS,
    review: findConfiguredReview(config.review),
    changeRequired: true,
    ceilingOfScope: task === null ? "enforced" : "told",
    settle: { onSuccess: config.git.commit === "always" ? "commit" : "accept", onFailure: "rollback" },
    usualTurns: RELAY_TURNS,
  };
  return {
    name: "relay",
    start: { isOver: false },
    reduce: (state, { event }) => (event.type === "tick_ended" ? { isOver: true } : state),
    next: ({ isOver }) => (isOver ? { kind: "end", end: "complete" } : { kind: "work", work }),
  };
}
