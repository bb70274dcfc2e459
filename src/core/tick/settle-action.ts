/**
 * What becomes of a candidate, and whether others are asked about it first.
 *
 * The policy of a tick is in its first event, so it can neither change on the way nor differ when the tick is told
 * again. It only ever chooses between ways to keep what the judge let pass: a change against the rules and a tick that
 * was cut short are always put back.
 */
import type { Code } from "../../contract/values/codes.ts";
import type { SettleAction } from "../../contract/journal/event.ts";
import type { ReviewGate } from "../../contract/agents/review.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { Judged, Outcome, PreparedFacts, StateIn } from "./tick-state.ts";

const RED_CHECKS: readonly Code[] = ["STOP_VERIFY_FAILED_FAST", "STOP_VERIFY_FAILED_SLOW", "STOP_GUARD_FAILED"];

/** The failures of work that kept to the rules. Only these may be committed, where a workflow wants its attempts kept. */
const FAILED_WORK: readonly Code[] = [...RED_CHECKS, "STOP_REVIEW_REFUSED"];

/** The outcome of a tick, and what becomes of its change: one that nobody has judged is put back. */
export function startSettling(facts: PreparedFacts, outcome: Outcome): StateIn<"announce_settle"> {
  const phase = "announce_settle";
  if (!("judged" in facts)) return { phase, facts, outcome, action: "rollback" };
  return { phase, facts, outcome, action: settleAction(facts, outcome.code) };
}

/** How a tick that was judged is settled with this code. */
export function settleAction({ started, judged }: Pick<Judged, "started" | "judged">, code: Code): SettleAction {
  if (code === "SUCCESS") return started.on_success;
  const isKept = started.on_failure === "commit" && judged.code === "SUCCESS" && FAILED_WORK.includes(code);
  return isKept ? "commit" : "rollback";
}

/** Whether the reviewers are asked about a tick that the checks left with this code. */
export function isReviewed({ started, task }: Pick<Judged, "started" | "task">, code: Code): boolean {
  const gate = started.review;
  if (gate === undefined || !isAskedAbout(task, gate)) return false;
  return code === "SUCCESS" || (gate.of_red && RED_CHECKS.includes(code));
}

function isAskedAbout({ task_kind: kind }: Task, { of_verify_only: ofVerifyOnly = false }: ReviewGate): boolean {
  return kind === "execute" || (kind === "verify_only" && ofVerifyOnly);
}

/** Whether a tick whose checks are red goes on with its candidate, so that what the checks left must be known. */
export function outlivesRedChecks(facts: Judged): boolean {
  const code = "STOP_VERIFY_FAILED_FAST";
  return settleAction(facts, code) === "commit" || isReviewed(facts, code);
}
