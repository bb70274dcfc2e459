import type { TickEvent } from "../contract/event.ts";
import { InvariantError } from "../contract/invariant.ts";
import { admitTask } from "../core/task-admission.ts";
import { workspaceState } from "../core/workspace-state.ts";
import type { TickSession } from "./tick-session.ts";

/** Takes the task that was handed over and refuses it now if it can be refused by reading. */
export function performPlan({ work, config, journal }: TickSession): TickEvent {
  if (work === null) throw new InvariantError("a tick without work is planned");
  const admission = admitTask({
    config,
    task: work.task,
    state: workspaceState(journal.lines(), config.budgets),
    ownChecks: work.checks.max,
    reviewers: work.review?.plan.reviewers.length ?? 0,
  });
  if (admission.kind === "refused") {
    const { code, cause, message } = admission;
    return { type: "refused", code, cause, message: message.slice(0, 4000) };
  }
  const own = work.checks.max > 0 ? { own_checks: work.checks.max } : {};
  return { type: "planned", task: work.task, orchestrator_calls: 0, ...own };
}
