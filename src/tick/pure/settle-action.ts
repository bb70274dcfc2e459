/**
 * What happens to a change, and whether it is reviewed first. The first event of a tick holds its policy, so it cannot
 * change later. The policy only chooses how a passing change is kept: a broken rule and an interruption are always
 * rolled back.
 */
import type { Code } from "../../base/codes.ts";
import type { SettleAction } from "../../records/event.ts";
import type { ReviewGate } from "../../records/review.ts";
import type { Task } from "../../records/task.ts";
import type { EventOf, Judged, Outcome, PreparedFacts, StateIn } from "./tick-state.ts";

const RED_CHECKS: readonly Code[] = ["STOP_VERIFY_FAILED_FAST", "STOP_VERIFY_FAILED_SLOW", "STOP_GUARD_FAILED"];

/** Failures of work within the rules. Only these may be committed, if a workflow keeps its attempts. */
const FAILED_WORK: readonly Code[] = [...RED_CHECKS, "STOP_REVIEW_REFUSED"];

/** A change that was not judged is rolled back. One that would be kept may have to wait for a person. */
export function startSettling(facts: PreparedFacts, outcome: Outcome): StateIn<"announce_settle" | "announce_ask"> {
  const phase = "announce_settle";
  if (!("judged" in facts)) return { phase, facts, outcome, action: "rollback" };
  const action = settleAction(facts, outcome.code);
  if (action === "rollback") return { phase, facts, outcome, action };
  const isAsked = facts.started.ask !== undefined && facts.judged.touched_paths_total > 0;
  return { phase: isAsked ? "announce_ask" : phase, facts, outcome, action };
}

export function settleAction({ started, judged }: Pick<Judged, "started" | "judged">, code: Code): SettleAction {
  if (code === "SUCCESS") return started.on_success;
  const isKept = started.on_failure === "commit" && judged.code === "SUCCESS" && FAILED_WORK.includes(code);
  return isKept ? "commit" : "rollback";
}

type Reviewable = Pick<Judged, "started" | "task"> & { readonly building?: EventOf<"build_started"> };

/**
 * Nobody is paid to look at a change that a check refuses already, or that is held for a person. The reviewers of an
 * attempt have voted where it was made.
 */
export function isReviewed({ started, task, building }: Reviewable, code: Code): boolean {
  const gate = started.review;
  return code === "SUCCESS" && gate !== undefined && building?.attempts === undefined && isAskedAbout(task, gate);
}

function isAskedAbout({ task_kind: kind }: Task, { of_verify_only: ofVerifyOnly = false }: ReviewGate): boolean {
  return kind === "execute" || (kind === "verify_only" && ofVerifyOnly);
}

/** Whether the change survives failed checks, so that their side effects must be known. */
export function outlivesRedChecks(facts: Judged): boolean {
  return settleAction(facts, "STOP_VERIFY_FAILED_FAST") === "commit";
}
