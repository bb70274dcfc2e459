/**
 * Who reviews the work of one tick, how an answer is read, and what the votes come to.
 *
 * The kernel asks, counts and observes; what a decision means is the workflow's own. So a plan brings the two functions
 * that only a workflow can know: one that reads a document into a vote, and one that turns votes into an outcome.
 */
import type { Review, ReviewGate } from "../../contract/review.ts";

export interface Reviewer {
  readonly name: string;
  /** What this one looks at, in a sentence that is put to it. */
  readonly focus: string;
}

/** What a valid decision says. */
interface Opinion {
  readonly vote: "approve" | "refuse";
  readonly explanation: string;
  readonly reasons: readonly string[];
}

export type ReadDecision =
  | { readonly kind: "valid"; readonly opinion: Opinion }
  | { readonly kind: "invalid"; readonly message: string };

/** Whether the votes are enough; a message tells a person why they are not. */
export type ReviewVerdict =
  | { readonly kind: "approved" }
  | { readonly kind: "refused"; readonly cause: string; readonly message: string };

export interface ReviewPlan extends Pick<ReviewGate, "role" | "quorum"> {
  readonly reviewers: readonly [Reviewer, ...Reviewer[]];
  readonly ofRed: boolean;
  /** The name of the published schema that a decision follows. */
  readonly schema: string;
  readonly read: (document: Readonly<Record<string, unknown>>) => ReadDecision;
  readonly verdict: (reviews: readonly Review[]) => ReviewVerdict;
}

/** The gate as the first event of a tick records it. */
export function gateOf({ role, reviewers, quorum, ofRed }: ReviewPlan): ReviewGate {
  return { role, reviewers: reviewers.map(({ name }) => name), quorum, of_red: ofRed };
}
