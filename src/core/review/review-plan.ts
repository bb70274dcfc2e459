/**
 * Who reviews the work of one tick, how an answer is read, and what the votes come to.
 *
 * The kernel asks, counts and observes; what a decision means is the workflow's own. So a plan brings the two functions
 * that only a workflow can know: one that reads a document into a vote, and one that turns votes into an outcome.
 */
import type { Review, ReviewGate } from "../../contract/agents/review.ts";
import type { Reviewer } from "./reviewer.ts";
import type { ReviewMatter } from "./review-prompt.ts";

/** What a valid decision says. */
interface Opinion {
  readonly vote: "approve" | "refuse";
  readonly explanation: string;
  readonly reasons: readonly string[];
}

export type ReadDecision =
  { readonly kind: "valid"; readonly opinion: Opinion } | { readonly kind: "invalid"; readonly message: string };

/** Whether the votes are enough; a message tells a person why they are not. */
export type ReviewVerdict =
  { readonly kind: "approved" } | { readonly kind: "refused"; readonly cause: string; readonly message: string };

export interface ReviewPlan extends Pick<ReviewGate, "role" | "quorum"> {
  readonly reviewers: readonly [Reviewer, ...Reviewer[]];
  readonly ofRed: boolean;
  /** The name of the published schema that a decision follows. */
  readonly schema: string;
  readonly read: (document: Readonly<Record<string, unknown>>) => ReadDecision;
  readonly verdict: (reviews: readonly Review[]) => ReviewVerdict;
  /** Whether a task that only verifies is reviewed too. */
  readonly ofVerifyOnly?: boolean;
  /** What each of them is told; absent is what a reviewer of a single task is told. */
  readonly prompt?: (reviewer: Reviewer, gateInput: ReviewMatter) => string;
  /** The evidence of a decision, whose citations are then held against reality; absent is none. */
  readonly evidenceOf?: (review: Review) => readonly string[];
  /** Who has answered before and is not asked again, as long as the same commit is looked at. */
  readonly known?: KnownReviews | null;
}

/** Answers of a tick that was cut short, and the commit that they are about. */
export interface KnownReviews {
  readonly base: string;
  readonly reviews: readonly Review[];
}

/** The gate as the first event of a tick records it. */
export function makeReviewGate({ role, reviewers, quorum, ofRed, ofVerifyOnly }: ReviewPlan): ReviewGate {
  return {
    role,
    reviewers: reviewers.map(({ name }) => name),
    quorum,
    of_red: ofRed,
    ...(ofVerifyOnly === true ? { of_verify_only: true } : {}),
  };
}
