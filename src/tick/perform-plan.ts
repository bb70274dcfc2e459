/** Finds the task of the tick: a given one, or one of the orchestrator. */
import type { TickEvent } from "../records/event.ts";
import type { Task } from "../records/task.ts";
import { admitTask } from "./pure/task-admission.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { leadsOutside } from "../system/leads-outside.ts";
import { pickAgentNow } from "./hand-over.ts";
import { announcePlan } from "./announce-plan.ts";
import type { ReadyWork, RunningSession } from "./tick-session.ts";

type Refused = Extract<TickEvent, { type: "refused" }>;

export async function performPlan(session: RunningSession, state: StateIn<"plan">): Promise<TickEvent> {
  const { task, orchestrator } = session.work;
  if (task !== null) return planGiven(session, task);
  return announcePlan(session, pickAgentNow(orchestrator, state, "orchestrator"), state);
}

/** A given task is refused now if it can be. */
export function planGiven(session: RunningSession, task: Task): TickEvent {
  return findRefusal(session, task) ?? { type: "planned", task, orchestrator_calls: 0, ...countOwnChecks(session) };
}

/** How many checks the workflow and the configuration may add. */
export function countOwnChecks(session: RunningSession): { readonly own_checks?: number } {
  const max = countMost(session);
  return max > 0 ? { own_checks: max } : {};
}

/** A relay judges each tick by itself; the others run held-out checks where they run any. */
function countMost({ work, config, journal, runId }: RunningSession): number {
  const { max } = work.checks;
  const start = journal.linesOf(runId).findLast(({ event }) => event.type === "tick_started")?.event;
  const isRelay = start?.type === "tick_started" && start.workflow === "relay";
  return isRelay || max > 0 ? max + config.verification.held_out.length : max;
}

/** Why a task cannot be done; null where it can. */
export function findRefusal(session: RunningSession, task: Task): Refused | null {
  const refusal = session.work.admit?.(task) ?? findAdmissionRefusal(session, task);
  return refusal === null ? null : { type: "refused", ...refusal };
}

function findAdmissionRefusal(session: RunningSession, task: Task) {
  const { config, journal, work, repository } = session;
  const { root } = repository;
  const admission = admitTask({
    config,
    task,
    state: journal.fold(WorkspaceFold).state(config.budgets),
    ownChecks: countMost(session),
    leadsOutside: (path) => leadsOutside(root, path),
    isOwnPatch: work.isOwnPatch ?? false,
    isLanding: (work.landing ?? null) !== null,
    isPlanned: work.task === null,
    builders: (session.attempts?.count ?? 1) * (1 + (work.builder?.fallbacks.length ?? 0)),
    ...describeReview(work),
  });
  if (admission.kind === "admitted") return null;
  const { code, cause, message } = admission;
  return { code, cause, message };
}

/** The worst case: each agent that is out of quota was asked by all of them. */
function describeReview({ review }: ReadyWork) {
  if (review === null) return { reviewers: 0, ofVerifyOnly: false };
  const { plan, fallbacks } = review;
  return { reviewers: plan.reviewers.length * (1 + fallbacks.length), ofVerifyOnly: plan.ofVerifyOnly ?? false };
}
