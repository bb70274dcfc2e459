import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BlockerObservation, ReviewRecord } from "../../../src/records/goal.ts";
import { reduceTurn, describeRemainingWork, type TurnFacts } from "../../../src/workflows/pure/goal-reducer.ts";
import { runs } from "../../support/runs.ts";

type Word = "complete" | "continue" | "blocked" | "none";

function record(reviewer: string, word: Word, blockerId = "no-key"): ReviewRecord {
  return {
    turn: 1,
    reviewer,
    decision: word === "none" ? "continue" : word,
    evidence: word === "complete" ? ["seen"] : [],
    gaps: word === "continue" ? ["the docs"] : [],
    blocker: word === "blocked" ? `There is no ${blockerId}.` : null,
    blocker_id: word === "blocked" ? blockerId : null,
    confidence_score: 1,
    explanation: "Looked.",
    raw_text: "{}",
    diagnostic: word === "none" ? "timeout: It took too long." : null,
  };
}

const NAMES = ["completion", "evidence", "risk"];
const said = (...words: readonly Word[]) => words.map((word, index) => record(NAMES[index] ?? "more", word));
const seen = (turn: number, reviewers = NAMES, blocker_id = "no-key"): BlockerObservation => ({
  turn,
  blocker_id,
  blocker: "There is no key.",
  reviewers,
});

const facts = (over: Partial<TurnFacts>): TurnFacts => ({
  turn: 3,
  maxTurns: 10,
  quorum: 2,
  blockerThreshold: 3,
  reviews: [],
  blockers: [],
  unreviewed: [],
  objection: null,
  ...over,
});

const TABLE: readonly (readonly [string, Partial<TurnFacts>, string])[] = [
  ["a quorum says complete", { reviews: said("complete", "complete", "continue") }, "complete"],
  ["one short of a quorum", { reviews: said("complete", "continue", "none") }, "active"],
  ["a quorum in the last turn still counts", { turn: 10, reviews: said("complete", "complete", "none") }, "complete"],
  [
    "a quorum beats a blocker that has come often enough",
    { quorum: 1, reviews: said("complete", "blocked"), blockers: [seen(1), seen(2)] },
    "complete",
  ],
  ["a red check in the last turn goes to a person", { turn: 10, objection: "Red." }, "needs_human"],
  [
    "the same blocker three turns in a row",
    { reviews: said("blocked", "blocked", "continue"), blockers: [seen(1), seen(2)] },
    "blocked",
  ],
  [
    "a blocker beats the last turn",
    { turn: 3, maxTurns: 3, reviews: said("blocked", "blocked"), blockers: [seen(1), seen(2)] },
    "blocked",
  ],
  ["a blocker once", { reviews: said("blocked", "blocked", "blocked") }, "active"],
  [
    "a turn without it between",
    { turn: 4, reviews: said("blocked", "blocked"), blockers: [seen(1), seen(2)] },
    "active",
  ],
  [
    "a turn between in which nobody was asked",
    { turn: 4, reviews: said("blocked", "blocked"), blockers: [seen(1), seen(2)], unreviewed: [3] },
    "blocked",
  ],
  [
    "turns in which nobody was asked, which do not count for it",
    { turn: 4, reviews: said("blocked", "blocked"), blockers: [seen(1)], unreviewed: [2, 3] },
    "active",
  ],
  [
    "another blocker between",
    { reviews: said("blocked", "blocked"), blockers: [seen(1), seen(2, NAMES, "no-disk")] },
    "active",
  ],
  [
    "a blocker that only one named before",
    { reviews: said("blocked", "blocked"), blockers: [seen(1), seen(2, ["risk"])] },
    "active",
  ],
  [
    "a blocker that only one names now",
    { reviews: said("blocked", "continue", "continue"), blockers: [seen(1), seen(2)] },
    "active",
  ],
  ["the last turn", { turn: 10, reviews: said("complete", "continue", "continue") }, "needs_human"],
  ["nobody has a vote", { reviews: said("none", "none", "none") }, "needs_human"],
  ["nobody was asked, and something is wrong", { objection: "It was put back." }, "active"],
];

describe("a turn is decided", () => {
  test.each(TABLE)("%s", (_, over, status) => {
    const outcome = reduceTurn(facts(over));
    expect(outcome.status).toBe(status);
    expect(outcome.decision.decision).toBe(status === "active" ? "continue" : status);
  });

  test("the id decides whether a blocker is the same, not the words", () => {
    const reviews = said("blocked", "blocked").map((one, index) => ({ ...one, blocker: `Words ${index}.` }));
    const outcome = reduceTurn(facts({ reviews, blockers: [seen(1), seen(2)] }));
    expect(outcome).toMatchObject({ status: "blocked", observation: { blocker_id: "no-key" } });
  });

  test("what is left is told once each, gaps and blockers alike", () => {
    expect(describeRemainingWork([...said("continue", "blocked"), ...said("continue")])).toBe(
      "the docs; There is no no-key.",
    );
  });
});

const word = fc.constantFrom<Word>("complete", "continue", "blocked", "none");
const anyTurn = fc.oneof(
  fc.record({
    words: fc.array(fc.tuple(word, fc.constantFrom("no-key", "no-disk")), { maxLength: 9 }),
    objection: fc.constant(null),
  }),
  // No reviewer is asked about a red check.
  fc.constant({ words: [], objection: "Red." }),
);
const anyGoal = fc.record({
  turns: fc.array(anyTurn, { minLength: 12, maxLength: 12 }),
  maxTurns: fc.integer({ min: 1, max: 12 }),
  quorum: fc.integer({ min: 1, max: 9 }),
  blockerThreshold: fc.integer({ min: 2, max: 12 }),
});

test("whatever reviewers say, a goal ends in time, complete by quorum only, and blocked not before its threshold", () => {
  fc.assert(
    fc.property(anyGoal, ({ turns, maxTurns, quorum, blockerThreshold }) => {
      let blockers: readonly BlockerObservation[] = [];
      const unreviewed: number[] = [];
      for (const [index, { words, objection }] of turns.entries()) {
        const turn = index + 1;
        const reviews = words.map(([one, id], at) => record(`r${at}`, one, id));
        const outcome = reduceTurn({
          turn,
          maxTurns,
          quorum,
          blockerThreshold,
          reviews,
          blockers,
          unreviewed,
          objection,
        });
        const complete = words.filter(([one]) => one === "complete").length;
        expect(outcome.status === "complete").toBe(complete >= quorum);
        if (objection !== null) unreviewed.push(turn);
        expect(outcome.status === "blocked" && turn < blockerThreshold).toBe(false);
        if (outcome.status !== "active") return;
        expect(turn).toBeLessThan(maxTurns);
        blockers = outcome.observation === null ? blockers : [...blockers, outcome.observation];
      }
      throw new Error("it never ended");
    }),
    runs(500),
  );
});
