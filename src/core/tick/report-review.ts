/** The part of a report that tells of the reviewers. */
import { type Report, REPORT_LIMITS } from "../../contract/documents/report.ts";
import { type Review, REVIEW_LIMITS } from "../../contract/agents/review.ts";
import { shorten } from "../words/shorten.ts";
import { findReview, findReviewing } from "./tick-facts.ts";
import type { Reportable, TickState } from "./tick-state.ts";

/** Who was asked and what each of them said; null where nobody was, or nobody came to answer. */
export function reviewPart(state: Reportable): Report["review"] {
  const reviewed = findReview(state);
  if (reviewed === null) return null;
  return {
    approved: reviewed.code === null,
    quorum: state.facts.started.review?.quorum ?? 0,
    reviewers: reviewed.reviews.slice(0, REVIEW_LIMITS.reviewers).map(reviewerPart),
  };
}

function reviewerPart({ name, vote, cause, explanation, reasons, wrote }: Review) {
  return {
    name,
    vote,
    cause,
    summary: explanation,
    reasons: reasons.map((reason) => shorten(reason || "(empty)", REVIEW_LIMITS.reasonChars)),
    wrote: wrote.map((path) => shorten(path || "(empty)", REPORT_LIMITS.pathChars)),
  };
}

/** What each reviewer cost, as its program reports it. */
export function reviewUsage(state: TickState | Reportable): Report["usage"] {
  const [facts, reviewed] = [findReviewing(state), findReview(state)];
  if (facts === null || reviewed === null) return [];
  const { driver } = facts.reviewing;
  const role = facts.started.review?.role ?? "reviewer";
  return reviewed.reviews.flatMap(({ usage }) => (usage === null ? [] : [{ role, driver, model: null, ...usage }]));
}
