import { expect, test } from "vitest";
import type { Review } from "../../../src/records/review.ts";
import { findConfiguredReview, makeReviewGate, type ReviewPlan } from "../../../src/checks/pure/review-plan.ts";

function planOf(reviewers: readonly string[], quorum: number | null): ReviewPlan {
  const plan = findConfiguredReview({ reviewers: [...reviewers], quorum });
  if (plan === null) throw new Error("nobody reviews");
  return plan;
}

const review = (vote: Review["vote"], index: number): Review => ({
  name: `r${index}`,
  vote,
  cause: vote === "none" ? "timeout" : null,
  decision: null,
  explanation: `words ${index}`,
  reasons: vote === "refuse" ? [`reason ${index}`] : [],
  wrote: [],
  duration_ms: 1,
  usage: null,
});

test("nobody is asked unless somebody is named", () => {
  expect(findConfiguredReview({ reviewers: [], quorum: null })).toBeNull();
});

test("without a quorum everybody has to agree", () => {
  expect(makeReviewGate(planOf(["a", "b", "c"], null))).toEqual({
    role: "reviewer",
    reviewers: ["a", "b", "c"],
    quorum: 3,
  });
});

const [A, R, N] = ["approve", "refuse", "none"] as const;

test.each<[readonly Review["vote"][], number, "approved" | "refused" | "votes_missing"]>([
  [[A], 1, "approved"],
  [[R], 1, "refused"],
  [[N], 1, "votes_missing"],
  [[A, A, R], 2, "approved"],
  [[A, A, N], 2, "approved"],
  [[A, R, R], 2, "refused"],
  [[A, R, N], 2, "refused"],
  [[A, N, N], 2, "votes_missing"],
  [[N, N, N], 1, "votes_missing"],
  [[A, A, A], 3, "approved"],
  [[A, A, N], 3, "votes_missing"],
  [[A, A, R], 3, "refused"],
])("%j with a quorum of %i is %s", (votes, quorum, expected) => {
  const reviews = votes.map(review);
  const verdict = planOf(
    votes.map((_vote, index) => `r${index}`),
    quorum,
  ).verdict(reviews);
  expect(verdict.kind === "approved" ? "approved" : verdict.cause).toBe(expected);
});

test("why it was refused names everybody who has not approved, with the reasons", () => {
  const verdict = planOf(["r0", "r1", "r2"], 2).verdict([A, R, N].map(review));
  expect(verdict).toMatchObject({
    message: "1 of 2 needed approvals.\nr1 refuses: words 1 / reason 1\nr2 gave no valid answer (timeout): words 2",
  });
});

test.each<[object, "valid" | "invalid"]>([
  [{ decision: "approve", explanation: "x", reasons: [] }, "valid"],
  [{ decision: "refuse", explanation: "x", reasons: ["y"] }, "valid"],
  [{ decision: "refuse", explanation: "x", reasons: [] }, "invalid"],
  [{ decision: "complete", explanation: "x", reasons: [] }, "invalid"],
  [{ decision: "approve", explanation: "", reasons: [] }, "invalid"],
  [{ decision: "approve", explanation: "x" }, "invalid"],
  [{ decision: "approve", explanation: "x", reasons: [], approved: true }, "invalid"],
])("the decision %j is %s", (document, kind) => {
  expect(planOf(["risk"], null).read({ ...document }).kind).toBe(kind);
});
