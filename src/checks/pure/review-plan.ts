import { type Review, type ReviewGate, REVIEW_LIMITS, ReviewDecision } from "../../records/review.ts";
import type { ReviewInput, Reviewer } from "./review-prompt.ts";
import type { Config } from "../../config/config.ts";
import { joinProblems, parseWith } from "../../base/schema-error.ts";
import { shorten } from "../../base/words.ts";

/**
 * Who reviews a tick, how an answer is read, and how the votes are counted. The meaning of a decision depends on the
 * workflow, so a plan brings two functions: one reads a document as a vote, one turns votes into an outcome.
 */

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

export function makeReviewGate({ role, reviewers, quorum, ofVerifyOnly }: ReviewPlan): ReviewGate {
  return {
    role,
    reviewers: reviewers.map(({ name }) => name),
    quorum,
    ...(ofVerifyOnly === true ? { of_verify_only: true } : {}),
  };
}

const MESSAGE_CHARS = 4000;

/** Any other name is its own focus. */
const FOCUS: ReadonlyMap<string, string> = new Map([
  ["completion", "Whether the task is done, all of it: every part of what was asked for, and nothing left as a stub."],
  [
    "evidence",
    "Whether what is claimed is proven: which checks ran, whether they would fail without the change, and what nothing proves.",
  ],
  [
    "risk",
    "What could break: behaviour that others rely on, errors that are swallowed, data, security, and what is hard to take back.",
  ],
  ["tests", "Whether the tests hold the new behaviour down, and whether any test was weakened to let the change pass."],
  ["scope", "Whether the change does what the task asks for and nothing besides."],
]);

/** Null if the configuration names no reviewer. */
export function findConfiguredReview({
  reviewers,
  quorum,
}: Pick<Config["review"], "reviewers" | "quorum">): ReviewPlan | null {
  const [first, ...others] = reviewers.map(makeReviewer);
  if (first === undefined) return null;
  const needed = quorum ?? reviewers.length;
  return {
    role: "reviewer",
    reviewers: [first, ...others],
    quorum: needed,
    schema: "review_decision",
    read: readDecision,
    verdict: (reviews) => countVotes(reviews, needed),
  };
}

function makeReviewer(name: string): Reviewer {
  return { name, focus: FOCUS.get(name) ?? `What the name ${name} stands for, and nothing else.` };
}

function readDecision(document: Readonly<Record<string, unknown>>): ReadDecision {
  const parsed = parseWith(ReviewDecision, document);
  if (parsed.kind === "invalid") return { kind: "invalid", message: joinProblems(parsed.problems) };
  const { decision, explanation, reasons } = parsed.value;
  return { kind: "valid", opinion: { vote: decision, explanation, reasons } };
}

/** A reviewer that refused or gave no valid answer does not count for the quorum. */
function countVotes(reviews: readonly Review[], quorum: number): ReviewVerdict {
  const approvals = reviews.filter(({ vote }) => vote === "approve").length;
  if (approvals >= quorum) return { kind: "approved" };
  const isRefused = reviews.some(({ vote }) => vote === "refuse");
  const missing = reviews.filter(({ vote }) => vote !== "approve").map(describeMissingVote);
  const message = [`${approvals} of ${quorum} needed approvals.`, ...missing].join("\n");
  return {
    kind: "refused",
    cause: isRefused ? "refused" : "votes_missing",
    message: shorten(message, MESSAGE_CHARS),
  };
}

function describeMissingVote({ name, vote, cause, explanation, reasons }: Review): string {
  if (vote === "none") return `${name} gave no valid answer (${cause ?? "unknown"}): ${explanation}`;
  return `${name} refuses: ${shorten([explanation, ...reasons].join(" / "), REVIEW_LIMITS.explanationChars)}`;
}
