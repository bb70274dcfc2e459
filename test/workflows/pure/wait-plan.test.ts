import fc from "fast-check";
import { expect, test } from "vitest";
import { waitPlan } from "../../../src/workflows/pure/series-waits.ts";

const MINUTE = 60_000;

test("a service that says when is waited for until then, and no longer than allowed", () => {
  const question = { nowMs: 1000, waitedMs: [], maxWaitMs: MINUTE };
  expect(waitPlan({ ...question, untilMs: 31_000 })).toEqual({ kind: "wait", untilMs: 31_000 });
  expect(waitPlan({ ...question, untilMs: 500 })).toEqual({ kind: "wait", untilMs: 1000 });
  expect(waitPlan({ ...question, untilMs: 61_001 })).toEqual({ kind: "give_up" });
  expect(waitPlan({ ...question, untilMs: 31_000, waitedMs: [45_000] })).toEqual({ kind: "give_up" });
});

test("a moment that is over is believed once, so that nobody asks again and again without waiting", () => {
  const question = { nowMs: 1000, untilMs: 500, maxWaitMs: 10 * MINUTE };
  expect(waitPlan({ ...question, waitedMs: [] })).toEqual({ kind: "wait", untilMs: 1000 });
  expect(waitPlan({ ...question, waitedMs: [0] })).toEqual({ kind: "wait", untilMs: 1000 + 2 * MINUTE });
  expect(waitPlan({ ...question, untilMs: 1000, waitedMs: [0] })).toEqual({
    kind: "wait",
    untilMs: 1000 + 2 * MINUTE,
  });
});

test("a service that does not say when is asked again after twice as long each time", () => {
  const question = { nowMs: 0, untilMs: null, maxWaitMs: 10 * MINUTE };
  const until = (...waitedMs: number[]) => waitPlan({ ...question, waitedMs });
  expect(until()).toEqual({ kind: "wait", untilMs: MINUTE });
  expect(until(MINUTE)).toEqual({ kind: "wait", untilMs: 2 * MINUTE });
  expect(until(MINUTE, 2 * MINUTE, 4 * MINUTE)).toEqual({ kind: "wait", untilMs: 3 * MINUTE });
  expect(until(MINUTE, 2 * MINUTE, 4 * MINUTE, 3 * MINUTE)).toEqual({ kind: "give_up" });
});

test("however often a service refuses, all waits together are bounded, and the series gives up at last", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.array(fc.option(fc.integer({ min: 0, max: 2_000_000 })), { maxLength: 40 }),
      (maxWaitMs, moments) => {
        const waitedMs: number[] = [];
        let nowMs = 0;
        for (const untilMs of moments) {
          const plan = waitPlan({ nowMs, untilMs, waitedMs, maxWaitMs });
          if (plan.kind === "give_up") break;
          waitedMs.push(plan.untilMs - nowMs);
          nowMs = plan.untilMs;
        }
        expect(waitedMs.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(maxWaitMs);
      },
    ),
  );
});
