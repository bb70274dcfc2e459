import { describe, expect, test } from "vitest";
import {
  decideAfterFail,
  combineVerdicts,
  countFailures,
  isContextStuck,
  isTooManyRequests,
  findFixBreaker,
  chooseWorkerModel,
} from "../../../src/workflows/pure/verdict-rules.ts";

const LIMITS = {
  request_info: 2,
  max_restarts: 3,
};

test.each([
  [["pass"], "pass"],
  [["pass", "pass"], "pass"],
  [["pass", "fail"], "fail"],
  [["fail", "request_info"], "fail"],
  [["pass", "request_info"], "request_info"],
  [["blocked", "pass"], "blocked"],
  [["fail", "blocked"], "blocked"],
] as const)("the verdicts %j come to %s", (verdicts, expected) => {
  expect(combineVerdicts(verdicts)).toBe(expected);
});

test.each([
  [0, "fail", 1],
  [2, "fail", 3],
  [2, "pass", 0],
  [2, "request_info", 2],
  [2, "blocked", 2],
] as const)("consecutive_failures of %i after %s is %i", (before, verdict, after) => {
  expect(countFailures(before, verdict)).toBe(after);
});

describe("the breakers of the fix loop", () => {
  const A = "US-001 AC1";
  const B = "US-001 AC2";
  const C = "US-002 AC1";
  test.each([
    [[], null],
    [[[A]], null],
    [[[A], [A]], "same_criterion"],
    [[[A], [B]], null],
    [[[A], [B], [A]], null],
    [
      [
        [A, B],
        [B, C],
      ],
      "same_criterion",
    ],
    [[[A], [B], [C]], "distinct_criteria"],
    [[[A], [B], [C], [A]], "distinct_criteria"],
    [[[A], [B], [C, C]], "distinct_criteria"],
    [[[A], [], [C]], null],
    [[[B], [A], [B], [B]], "same_criterion"],
  ] as const)("%j trips %s", (chain, expected) => {
    expect(findFixBreaker(chain)).toBe(expected);
  });

  test.each([
    [null, false, "fix"],
    ["same_criterion", false, "last_try"],
    ["distinct_criteria", false, "last_try"],
    [null, true, "blocked"],
    ["same_criterion", true, "blocked"],
  ] as const)("tripped by %s, last try %j: %s", (tripped, isLastTry, expected) => {
    expect(decideAfterFail(tripped, isLastTry)).toBe(expected);
  });
});

test.each([
  [1, false],
  [2, false],
  [3, true],
])("%i requests for information in a row are too many: %j", (count, expected) => {
  expect(isTooManyRequests(count, LIMITS)).toBe(expected);
});

test.each([
  [0, false],
  [2, false],
  [3, true],
])("a context that stood still %i times is stuck: %j", (count, expected) => {
  expect(isContextStuck(count)).toBe(expected);
});

describe("the model of the next worker", () => {
  const usual = "sonnet";
  const upgraded = "opus";
  test.each([
    [null, false, false, "sonnet"],
    [null, true, false, "opus"],
    [null, false, true, "opus"],
    [null, true, true, "opus"],
    ["haiku", false, false, "haiku"],
    ["haiku", true, false, "haiku"],
    ["haiku", true, true, "haiku"],
  ] as const)("named %s, failed %j, last try %j: %s", (...row) => {
    const [named, hasFailed, isLastTry, expected] = row;
    expect(chooseWorkerModel({ named, usual, upgraded, hasFailed, isLastTry })).toBe(expected);
  });
});
