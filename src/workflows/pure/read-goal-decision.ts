import { type BlockerObservation, GoalDecision, type ReviewRecord } from "../../records/goal.ts";
import type { Review } from "../../records/review.ts";
import { joinProblems, parseWith } from "../../base/schema-error.ts";
import type { ReadDecision, ReviewVerdict } from "../../checks/pure/review-plan.ts";
import { countNoun, shorten } from "../../base/words.ts";

/** Only `complete` approves. */
export function readGoalDecision(document: Readonly<Record<string, unknown>>): ReadDecision {
  const parsed = parseWith(GoalDecision, document);
  if (parsed.kind === "invalid") return { kind: "invalid", message: joinProblems(parsed.problems) };
  const { decision, explanation, gaps, blocker, blocker_id } = parsed.value;
  const reasons = [...gaps, ...(blocker === null ? [] : [`${blocker_id ?? "blocker"}: ${blocker}`])];
  return {
    kind: "valid",
    opinion: { vote: decision === "complete" ? "approve" : "refuse", explanation, reasons },
  };
}

/** If they are not enough, the whole ledger decides what follows. */
export function readGoalVerdict(reviews: readonly Review[], quorum: number): ReviewVerdict {
  const approvals = reviews.filter(({ vote }) => vote === "approve").length;
  if (approvals >= quorum) return { kind: "approved" };
  const hasVotes = reviews.some(({ vote }) => vote !== "none");
  return {
    kind: "refused",
    cause: hasVotes ? "not_complete" : "votes_missing",
    message: `${countNoun(approvals, "vote")} for complete, and ${quorum} needed.`,
  };
}

/** Without a vote it counts as `continue`, with the reason as its gap. */
export function reviewRecord(turn: number, review: Review): ReviewRecord {
  const parsed = parseWith(GoalDecision, review.decision);
  const raw_text = review.raw ?? (review.decision === null ? review.explanation : JSON.stringify(review.decision));
  const heading = { turn, reviewer: review.name };
  if (review.vote !== "none" && parsed.kind === "valid")
    return { ...heading, ...parsed.value, raw_text, diagnostic: null };
  const diagnostic = `${review.cause ?? "unknown"}: ${review.explanation}`;
  return {
    ...heading,
    decision: "continue",
    evidence: [],
    gaps: [shorten(`The reviewer ${review.name} gave no valid answer (${diagnostic})`, 600)],
    blocker: null,
    blocker_id: null,
    confidence_score: 0,
    explanation: review.explanation || diagnostic,
    raw_text,
    diagnostic,
  };
}

/** Each blocker once, with its latest words. */
export function listNamedBlockers(
  reviews: readonly ReviewRecord[],
): readonly Pick<BlockerObservation, "blocker" | "blocker_id">[] {
  const named = new Map<string, string>();
  for (const { blocker, blocker_id, diagnostic } of reviews)
    if (diagnostic === null && blocker !== null && blocker_id !== null) named.set(blocker_id, blocker);
  return [...named].map(([blocker_id, blocker]) => ({ blocker_id, blocker }));
}

/** A reviewer that was asked again counts with its last answer only. */
export function listTurnReviews(reviews: readonly ReviewRecord[], wanted: number): readonly ReviewRecord[] {
  const own = reviews.filter(({ turn }) => turn === wanted);
  return [...new Map(own.map((review) => [review.reviewer, review])).values()];
}
