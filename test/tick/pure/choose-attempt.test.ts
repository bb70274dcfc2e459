import fc from "fast-check";
import { expect, test } from "vitest";
import type { Attempt } from "../../../src/records/attempts.ts";
import { chooseAttempt, compareAttempts } from "../../../src/tick/pure/attempt-report.ts";
import { runs } from "../../support/runs.ts";

const PASSED: Attempt = {
  number: 1,
  agent: "command",
  run_id: "20260101T000000Z-00000001",
  verdict: "success",
  code: "SUCCESS",
  checks: { passed: 1, total: 1 },
  votes: null,
  files: 1,
  lines: 10,
  duration_ms: 5,
  usage: null,
  reviewer_calls: 0,
  salvaged: false,
};
const FAILED = { verdict: "stop", code: "STOP_NO_CHANGE" } as const;
const votes = (approved: number) => ({ approved, total: 3 });

test.each([
  ["only one", [{}], 1, null],
  ["one passed", [FAILED, {}, FAILED], 2, "checks"],
  [
    "more votes win over a smaller change",
    [
      { votes: votes(2), lines: 1 },
      { votes: votes(3), lines: 99 },
    ],
    2,
    "votes",
  ],
  [
    "a smaller change",
    [
      { lines: 4, files: 1 },
      { lines: 3, files: 9 },
    ],
    2,
    "lines",
  ],
  ["fewer files", [{ files: 2 }, { files: 1 }], 2, "files"],
  ["alike", [{}, {}], 1, "number"],
  ["a failed one is never chosen, however small", [{ ...FAILED, lines: 0 }], null, null],
] as const)("%s", (...[, given, chosen, rule]) => {
  const list = given.map((part, index): Attempt => ({ ...PASSED, ...part, number: index + 1 }));
  expect(chooseAttempt(list)).toEqual({ chosen, rule });
});

const attempt = fc.record({
  isGood: fc.boolean(),
  approved: fc.option(fc.nat(3)),
  files: fc.nat(4),
  lines: fc.nat(6),
});
const attempts = fc.array(attempt, { maxLength: 8 }).map((list) =>
  list.map(({ isGood, approved, files, lines }, index): Attempt => {
    const base = { ...PASSED, ...(isGood ? {} : FAILED), number: index + 1, files, lines };
    return { ...base, votes: approved === null ? null : votes(approved) };
  }),
);

test("the order is total, and the choice does not depend on the order of the list", () => {
  fc.assert(
    fc.property(attempts, fc.nat(), (list, turn) => {
      for (const one of list)
        for (const other of list) {
          expect(Math.sign(compareAttempts(one, other))).toBe(0 - Math.sign(compareAttempts(other, one)));
          expect(compareAttempts(one, other) === 0).toBe(one.number === other.number);
        }
      const sorted = list.toSorted(compareAttempts);
      for (const [at, one] of sorted.entries())
        for (const other of sorted.slice(at + 1)) expect(compareAttempts(one, other)).toBeLessThan(0);
      const turned = list.map((_, index) => list[(index + turn) % list.length] ?? PASSED);
      expect(chooseAttempt(turned)).toEqual(chooseAttempt(list));
    }),
    runs(200),
  );
});
