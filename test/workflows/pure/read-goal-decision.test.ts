import { describe, expect, test } from "vitest";
import type { Review } from "../../../src/records/review.ts";
import { readGoalDecision, reviewRecord } from "../../../src/workflows/pure/read-goal-decision.ts";

const COMPLETE = {
  decision: "complete",
  evidence: ["file: src/main.ts"],
  gaps: [],
  blocker: null,
  blocker_id: null,
  confidence_score: 0.9,
  explanation: "All of it is there.",
};
const BLOCKED = {
  ...COMPLETE,
  decision: "blocked",
  blocker: "There is no key.",
  blocker_id: "no-key",
};

describe("a decision", () => {
  test.each([
    ["complete with evidence", COMPLETE, "approve"],
    ["continue with gaps", { ...COMPLETE, decision: "continue", gaps: ["the docs"] }, "refuse"],
    ["blocked by something with an id", BLOCKED, "refuse"],
  ])("%s is a vote", (_, document, vote) => {
    expect(readGoalDecision(document)).toMatchObject({ kind: "valid", opinion: { vote } });
  });

  test.each([
    ["complete without evidence", { ...COMPLETE, evidence: [] }],
    ["complete with blanks for evidence", { ...COMPLETE, evidence: [" \n"] }],
    ["complete with gaps", { ...COMPLETE, gaps: ["the docs"] }],
    ["complete with a blocker", { ...COMPLETE, blocker: "There is no key.", blocker_id: "no-key" }],
    ["blocked by nothing", { ...COMPLETE, decision: "blocked" }],
    ["blocked by blanks", { ...BLOCKED, blocker: "  " }],
    ["blocked by something without an id", { ...BLOCKED, blocker_id: null }],
    ["an id that is a sentence", { ...BLOCKED, blocker_id: "There is no key" }],
    ["too much confidence", { ...COMPLETE, confidence_score: 1.1 }],
    ["confidence that is a word", { ...COMPLETE, confidence_score: "high" }],
    ["a key too many", { ...COMPLETE, approved: true }],
    ["a decision that is none", { ...COMPLETE, decision: "approve" }],
    ["nothing at all", {}],
  ])("%s is none", (_, document) => {
    expect(readGoalDecision(document).kind).toBe("invalid");
  });
});

test("a reviewer without a vote stands in the ledger as continue, with the reason as a gap", () => {
  const review: Review = {
    name: "risk",
    vote: "none",
    cause: "wrote",
    decision: { ...COMPLETE },
    explanation: "The repository changed while it looked.",
    reasons: [],
    wrote: ["src/main.ts"],
    duration_ms: 1,
    usage: null,
  };
  expect(reviewRecord(2, review)).toMatchObject({
    turn: 2,
    reviewer: "risk",
    decision: "continue",
    evidence: [],
    gaps: [expect.stringContaining("wrote: The repository changed")],
    confidence_score: 0,
    diagnostic: expect.stringContaining("wrote"),
    raw_text: JSON.stringify(COMPLETE),
  });
  const raw = `Here it is:\n${JSON.stringify(COMPLETE, null, 2)}\n`;
  expect(reviewRecord(2, { ...review, raw }).raw_text).toBe(raw);
});
