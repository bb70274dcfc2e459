/**
 * Who reviews a tick, how an answer is read, and how the votes are counted. The meaning of a decision depends on the
 * workflow, so a plan brings two functions: one reads a document as a vote, one turns votes into an outcome.
 */
import type { Review, ReviewGate } from "../../records/review.ts";
import type { ReviewInput, Reviewer } from "./review-prompt.ts";

interface Opinion {
  readonly vote: "approve" | "refuse";
  readonly explanation: string;
  readonly reasons: readonly string[];
}

export type ReadDecision =
  { readonly kind: "valid"; readonly opinion: Opinion } | { readonly kind: "invalid"; readonly message: string };

export type ReviewVerdict =
  { readonly kind: "approved" } | { readonly kind: "refused"; readonly cause: string; readonly message: string };

export interface ReviewPlan extends Pick<ReviewGate, "role" | "quorum"> {
  readonly reviewers: readonly [Reviewer, ...Reviewer[]];
  readonly ofRed: boolean;
  readonly schema: string;
  readonly read: (document: Readonly<Record<string, unknown>>) => ReadDecision;
  readonly verdict: (reviews: readonly Review[]) => ReviewVerdict;
  readonly ofVerifyOnly?: boolean;
  /** Absent is the prompt for a single task. */
  readonly prompt?: (reviewer: Reviewer, reviewed: ReviewInput) => string;
  /** Its citations are checked; absent is none. */
  readonly evidenceOf?: (review: Review) => readonly string[];
  /** Reviewers that have answered are not asked again about the same commit. */
  readonly known?: KnownReviews | null;
}

/** Answers of an interrupted tick, and the commit that they are about. */
export interface KnownReviews {
  readonly base: string;
  readonly reviews: readonly Review[];
}

export function makeReviewGate({ role, reviewers, quorum, ofRed, ofVerifyOnly }: ReviewPlan): ReviewGate {
  return {
    role,
    reviewers: reviewers.map(({ name }) => name),
    quorum,
    of_red: ofRed,
    ...(ofVerifyOnly === true ? { of_verify_only: true } : {}),
  };
}
