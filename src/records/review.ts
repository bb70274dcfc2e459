import * as v from "valibot";
import { Count, limitedText } from "../base/quantity.ts";
import { Usage } from "./agent.ts";
import { ReviewerName } from "../base/identifier.ts";

/** How large the prompt of a session was. A service may read its beginning from a cache, which costs less. */
export const PromptSize = v.strictObject({
  bytes: Count,
  /** How many bytes its beginning shares with the prompt of the same role before; null if there was none. */
  shared_bytes: v.nullable(Count),
  /** Bytes by heading. */
  sections: v.record(v.string(), Count),
});
export type PromptSize = v.InferOutput<typeof PromptSize>;

/** What the journal and the reports keep of a decision; a file holds all of it. */
export const REVIEW_LIMITS = {
  reviewers: 9,
  explanationChars: 1200,
  reasons: 20,
  reasonChars: 400,
  paths: 20,
  rawChars: 16_000,
} as const;

/**
 * The decision of a reviewer, and what the journal keeps of it. Each workflow has its own document, but every valid one
 * becomes a vote with an explanation and reasons. An invalid document is no vote.
 */

/** The decision of a reviewer of a single task. A refusal needs a reason to act on. */
export const ReviewDecision = v.pipe(
  v.strictObject({
    decision: v.picklist(["approve", "refuse"]),
    explanation: limitedText(REVIEW_LIMITS.explanationChars),
    reasons: v.pipe(v.array(limitedText(REVIEW_LIMITS.reasonChars)), v.maxLength(REVIEW_LIMITS.reasons)),
  }),
  v.forward(
    v.partialCheck(
      [["decision"], ["reasons"]],
      ({ decision, reasons }) => decision === "approve" || reasons.length > 0,
      "a refusal needs a reason",
    ),
    ["reasons"],
  ),
  v.metadata({
    anyOf: [{ properties: { decision: { const: "approve" } } }, { properties: { reasons: { minItems: 1 } } }],
  }),
);

export const ReviewGate = v.strictObject({
  role: v.picklist(["reviewer", "verifier"]),
  reviewers: v.pipe(v.array(ReviewerName), v.minLength(1), v.maxLength(REVIEW_LIMITS.reviewers)),
  quorum: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Whether a `verify_only` task is reviewed; absent is no. */
  of_verify_only: v.exactOptional(v.boolean()),
});
export type ReviewGate = v.InferOutput<typeof ReviewGate>;

export const Review = v.strictObject({
  name: ReviewerName,
  vote: v.picklist(["approve", "refuse", "none"]),
  cause: v.nullable(limitedText(400)),
  /** A vote that was dropped keeps its document. */
  decision: v.nullable(v.record(v.string(), v.unknown())),
  /** The beginning of the answer, unread; absent if there was none. */
  raw: v.exactOptional(v.pipe(v.string(), v.maxLength(REVIEW_LIMITS.rawChars))),
  explanation: v.pipe(v.string(), v.maxLength(REVIEW_LIMITS.explanationChars)),
  reasons: v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(REVIEW_LIMITS.reasonChars))),
    v.maxLength(REVIEW_LIMITS.reasons),
  ),
  /** Paths that changed while it ran; all of them were reverted. */
  wrote: v.pipe(v.array(v.string()), v.maxLength(REVIEW_LIMITS.paths)),
  duration_ms: Count,
  usage: v.nullable(Usage),
  /** Absent for a review of an earlier tick. */
  prompt: v.exactOptional(PromptSize),
});
export type Review = v.InferOutput<typeof Review>;
