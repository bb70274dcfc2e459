import { describe, expect, test } from "vitest";
import type { GoalSettings, ReviewRecord } from "../../../src/records/goal.ts";
import { findGoalLedger, summariseReceipt } from "../../../src/workflows/pure/goal-ledger.ts";
import {
  makeGoalReviewer,
  composeGoalReviewPrompt,
  composeGoalPrompt,
} from "../../../src/workflows/pure/goal-prompts.ts";
import { type GoalState, NEW_GOAL } from "../../../src/workflows/pure/goal-state.ts";

const AT = "2026-01-01T00:00:00.000Z";
const SETTINGS: GoalSettings = {
  objective: "Every page has a title",
  criteria: null,
  max_turns: 17,
  review_quorum: 2,
  reviewers: ["completion", "evidence", "risk"],
  blocker_threshold: 13,
  base: { ref: "origin/main", commit: "a".repeat(40) },
};

const review = (turn: number, gap: string): ReviewRecord => ({
  turn,
  reviewer: "risk",
  decision: "continue",
  evidence: [],
  gaps: [gap],
  blocker: null,
  blocker_id: null,
  confidence_score: 1,
  explanation: "Looked.",
  raw_text: "{}",
  diagnostic: null,
});

const NUMBERS = [1, 2, 3, 4, 5, 6];
const STATE: GoalState = {
  ...NEW_GOAL,
  settings: SETTINGS,
  createdAt: AT,
  updatedAt: AT,
  turns: 6,
  receipts: NUMBERS.map((turn) => ({ turn, text: `Receipt-${turn}` })),
  reviews: NUMBERS.map((turn) => review(turn, `Gap-${turn}`)),
};
const PLACE = { settings: SETTINGS, state: STATE, folder: "relais/goals/one" };
const MATTER = { task: { task_id: "T", milestone_id: "M", control: { action: "stop" } }, patch: "" } as const;
const REST = { leftOut: [], runs: [], notes: [], schema: {} };
const worker = composeGoalPrompt(PLACE);
const reviewer = composeGoalReviewPrompt({ ...PLACE, diff: "+a line" }, makeGoalReviewer("risk"), {
  ...MATTER,
  ...REST,
});
const flat = (text: string): string => text.replaceAll(/\s+/gu, " ");

const OBLIGATIONS: readonly (readonly [string, RegExp])[] = [
  ["the goal outlives the session", /outlives this session/],
  ["it is not made smaller", /do not make it smaller/],
  ["nothing easier takes its place", /narrower, easier, merely compatible or easier to test/],
  ["a change brings the end nearer that was asked for", /makes the end that was asked for more true/],
  ["rough edges only on the way", /Rough edges on the way are fine/],
  ["the present state counts, not memory", /what commands say now are what counts/],
  ["existing work may be replaced", /improved, replaced or removed/],
  ["not reached until it is proven", /not reached until it is proven/],
  ["every requirement, from everything that is referred to", /files, plans, specifications and issues that they refer/],
  ["every kind of requirement", /named artifacts, commands, tests, gates, invariants, deliverables/],
  ["the evidence for each is looked at", /say what would prove it, and look at exactly that/],
  [
    "evidence is classified",
    /proves the requirement, contradicts it, shows that work is left, is too weak or indirect/,
  ],
  ["a narrow check proves no broad claim", /A narrow check proves no broad claim/],
  ["green checks count for what they cover", /count only for what they really cover/],
  ["doubt means not reached", /Doubt means not reached/],
  ["finding nothing is no proof", /Finding nothing left to do is no proof/],
  [
    "intent and memory prove nothing",
    /Intent, partial progress, memory of earlier work and a plausible summary prove nothing/,
  ],
  ["a worker does not decide", /decided by reviewers and by the runner, never by the worker/],
  ["hard or slow is not blocked", /does not mean hard, slow, unclear, unfinished/],
  ["once is not blocked", /Seeing something in the way once is not being blocked/],
];

describe("the contract", () => {
  test.each(OBLIGATIONS)("%s", (_, words) => {
    expect(flat(worker)).toMatch(words);
    expect(flat(reviewer)).toMatch(words);
  });

  test("a worker is told what its receipt holds, and that a plan is not the work", () => {
    for (const heading of [
      "Progress made",
      "Files changed",
      "Commands run",
      "Evidence",
      "Blockers",
      "Ready for review",
      "Remaining work",
    ])
      expect(flat(worker)).toContain(heading);
    expect(flat(worker)).toContain("do not take a plan for the work");
  });
});

/** The prompt of a worker after so many turns. */
function composeAfter(turns: number): string {
  const state = { ...STATE, receipts: STATE.receipts.slice(0, turns), reviews: STATE.reviews.slice(0, turns) };
  return composeGoalPrompt({ ...PLACE, state });
}

const listTurns = (prompt: string) => [...prompt.matchAll(/(?:Receipt|Gap)-(\d)/gu)].map(([, turn]) => Number(turn));

/** Whether the prompt of the next turn goes on where this one ends. */
function isContinued(turns: number): boolean {
  const before = composeAfter(turns);
  const seen = before.slice(0, before.indexOf("\n```", before.indexOf(`Receipt-${turns}`)));
  return composeAfter(turns + 1).startsWith(seen);
}

test("a worker reads three to five turns with what reviewers said of each, the newest last", () => {
  expect(listTurns(worker)).toEqual([4, 4, 5, 5, 6, 6]);
  expect(listTurns(composeAfter(5))).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  expect(listTurns(composeAfter(2))).toEqual([1, 1, 2, 2]);
});

test("what was in the prompt of the turn before stays where it was, but for one turn in three", () => {
  expect([1, 2, 3, 4, 5].map(isContinued)).toEqual([true, true, true, true, false]);
});

test("of turns that are too long together, the newest stay", () => {
  const long = STATE.reviews.map((one) => ({ ...one, gaps: [`Gap-${one.turn} ${"x".repeat(30_000)}`] }));
  const prompt = composeGoalPrompt({ ...PLACE, state: { ...STATE, reviews: long } });
  expect([...prompt.matchAll(/Gap-(\d)/gu)].map(([, turn]) => turn)).toEqual(["5", "6"]);
});

test("reviewers are told their part before anything that changes from turn to turn", () => {
  const part = reviewer.indexOf("You are the reviewer risk.");
  expect(part).toBeGreaterThan(reviewer.indexOf("## Your answer"));
  expect(part).toBeLessThan(reviewer.indexOf("## Blockers that were named before"));
});

test("nobody is told how many turns there are, or how many votes and repetitions decide", () => {
  for (const prompt of [worker, reviewer]) expect(prompt).not.toMatch(/\b1[37]\b|quorum/iu);
});

test("a receipt is summarised in one line of 600 characters; the whole of it is an artifact", () => {
  const text = `A\n\n  b ${"c".repeat(1000)}`;
  expect(summariseReceipt(text)).toMatch(/^A b c+…$/u);
  expect(summariseReceipt(text)).toHaveLength(600);
  const state = { ...STATE, receipts: [{ turn: 1, text }] };
  expect(findGoalLedger(state, { goalId: "one", folder: "relais/goals/one" })?.receipts).toEqual([
    {
      turn: 1,
      stage: "work-turn-1",
      artifact_path: "relais/goals/one/work-turn-1.md",
      summary: summariseReceipt(text),
    },
  ]);
});
