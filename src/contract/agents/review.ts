/**
 * What a reviewer says, and what the journal keeps of it.
 *
 * Every workflow has its own document for a decision, but all of them are read the same way: a decision that is valid
 * becomes one vote, with an explanation and reasons that people read. A document that is not valid is no vote at all.
 */
import * as v from "valibot";
import { Usage } from "./agent.ts";
import { Count } from "../values/quantity.ts";

/** How much of a decision is kept where people and the journal meet it; the whole of it is in a file. */
export const REVIEW_LIMITS = {
  reviewers: 9,
  explanationChars: 1200,
  reasons: 20,
  reasonChars: 400,
  paths: 20,
  rawChars: 16_000,
} as const;

const text = (maxLength: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength));

export const ReviewerName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]{0,39}$/, "a reviewer is named in lower case, like `completion`"),
);

/** What a reviewer of a single task leaves. Nobody can act on a refusal without a reason, so it has one at least. */
export const ReviewDecision = v.pipe(
  v.strictObject({
    decision: v.picklist(["approve", "refuse"]),
    explanation: text(REVIEW_LIMITS.explanationChars),
    reasons: v.pipe(v.array(text(REVIEW_LIMITS.reasonChars)), v.maxLength(REVIEW_LIMITS.reasons)),
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

/** The gate of one tick: who is asked, and how many have to agree. */
export const ReviewGate = v.strictObject({
  role: v.picklist(["reviewer", "verifier"]),
  reviewers: v.pipe(v.array(ReviewerName), v.minLength(1), v.maxLength(REVIEW_LIMITS.reviewers)),
  quorum: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Whether they are asked although a check was red. Nothing that they say makes it green. */
  of_red: v.boolean(),
  /** Whether they are asked about a task that only verifies, and so changes nothing; absent is no. */
  of_verify_only: v.exactOptional(v.boolean()),
});
export type ReviewGate = v.InferOutput<typeof ReviewGate>;

/** What became of one reviewer's session. */
export const Review = v.strictObject({
  name: ReviewerName,
  vote: v.picklist(["approve", "refuse", "none"]),
  /** Why there is no vote; null where there is one. */
  cause: v.nullable(text(400)),
  /** The document that it left, once it was valid. A vote that was dropped keeps it. */
  decision: v.nullable(v.record(v.string(), v.unknown())),
  /** The beginning of what it left, as it came; absent where it left nothing. */
  raw: v.exactOptional(v.pipe(v.string(), v.maxLength(REVIEW_LIMITS.rawChars))),
  explanation: v.pipe(v.string(), v.maxLength(REVIEW_LIMITS.explanationChars)),
  reasons: v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(REVIEW_LIMITS.reasonChars))),
    v.maxLength(REVIEW_LIMITS.reasons),
  ),
  /** What changed in the repository while it looked, and was put back. */
  wrote: v.pipe(v.array(v.string()), v.maxLength(REVIEW_LIMITS.paths)),
  duration_ms: Count,
  usage: v.nullable(Usage),
});
export type Review = v.InferOutput<typeof Review>;
