/** Comes by the task of the tick: the one that was handed over, or one that the orchestrator is asked for. */
import type { TickEvent } from "../../contract/journal/event.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import type { Task } from "../../contract/documents/task.ts";
import { admitTask } from "../../core/tick/task-admission.ts";
import type { TickState } from "../../core/tick/tick-state.ts";
import { workspaceState } from "../../core/history/workspace-state.ts";
import { announcePlan } from "./announce-plan.ts";
import type { TickSession } from "../session/tick-session.ts";

const MESSAGE_CHARS = 4000;

type Refused = Extract<TickEvent, { type: "refused" }>;

/** Takes the task that was handed over, or announces a session of the orchestrator. */
export async function performPlan(session: TickSession, state: TickState): Promise<TickEvent> {
  const { work } = session;
  if (work === null) throw new InvariantError("a tick without work is planned");
  return work.task === null ? announcePlan(session, state) : planGiven(session, work.task);
}

/** Refuses a task that was handed over now if it can be refused by reading. */
export function planGiven(session: TickSession, task: Task): TickEvent {
  return (
    refusalOf(session, task) ?? { type: "planned", task, orchestrator_calls: 0, ...ownChecksOf(session) }
  );
}

/** How many checks the workflow may bring itself, as its event tells it. */
export function ownChecksOf({ work }: TickSession): { readonly own_checks?: number } {
  const max = work?.checks.max ?? 0;
  return max > 0 ? { own_checks: max } : {};
}

/** Why a task cannot be worked on, found by reading it; null where it can. */
export function refusalOf(session: TickSession, task: Task): Refused | null {
  const refusal = session.work?.admit?.(task) ?? admissionRefusal(session, task);
  return refusal === null
    ? null
    : { type: "refused", ...refusal, message: refusal.message.slice(0, MESSAGE_CHARS) };
}

function admissionRefusal({ config, journal, work }: TickSession, task: Task) {
  const admission = admitTask({
    config,
    task,
    state: workspaceState(journal.lines(), config.budgets),
    ownChecks: work?.checks.max ?? 0,
    isOwnPatch: work?.isOwnPatch ?? false,
    ...reviewOf(work),
  });
  if (admission.kind === "admitted") return null;
  const { code, cause, message } = admission;
  return { code, cause, message };
}

function reviewOf(work: TickSession["work"]) {
  const plan = work?.review?.plan;
  return { reviewers: plan?.reviewers.length ?? 0, ofVerifyOnly: plan?.ofVerifyOnly ?? false };
}
