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
import type { TickState } from "./tick-state.ts";

const RED_CHECKS: readonly Code[] = [
  "STOP_VERIFY_FAILED_FAST",
  "STOP_VERIFY_FAILED_SLOW",
  "STOP_GUARD_FAILED",
];

/** The failures of work that kept to the rules. Only these may be committed, where a workflow wants its attempts kept. */
const FAILED_WORK: readonly Code[] = [...RED_CHECKS, "STOP_REVIEW_REFUSED"];

type Judged = Pick<TickState, "started" | "judged">;

/** How a tick with this code is settled. */
export function settleAction({ started, judged }: Judged, code: Code): SettleAction {
  if (code === "SUCCESS") return started?.on_success ?? "accept";
  const isKept = started?.on_failure === "commit" && judged?.code === "SUCCESS" && FAILED_WORK.includes(code);
  return isKept ? "commit" : "rollback";
}

/** Whether the reviewers are asked about a tick that the checks left with this code. */
export function isReviewed({ started, task }: Pick<TickState, "started" | "task">, code: Code): boolean {
  const gate = started?.review;
  if (gate === undefined || task === null || !isAskedAbout(task, gate)) return false;
  return code === "SUCCESS" || (gate.of_red && RED_CHECKS.includes(code));
}

function isAskedAbout(
  { task_kind: kind }: Task,
  { of_verify_only: ofVerifyOnly = false }: ReviewGate,
): boolean {
  return kind === "execute" || (kind === "verify_only" && ofVerifyOnly);
}

/** Whether a tick whose checks are red goes on with its candidate, so that what the checks left must be known. */
export function outlivesRedChecks(state: Judged & Pick<TickState, "task">): boolean {
  const code = "STOP_VERIFY_FAILED_FAST";
  return settleAction(state, code) === "commit" || isReviewed(state, code);
}
