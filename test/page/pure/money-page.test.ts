/** Charts of what was spent: their last values are those of `relais status --json`, and their shapes those of the values. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeDefaultConfig } from "../../../src/config/config.ts";
import { addUp, drawBars, drawSteps } from "../../../src/page/pure/chart-lines.ts";
import { makeMoneyPage } from "../../../src/page/pure/money-page.ts";

const { budgets } = makeDefaultConfig();

test("a long course is thinned out, and keeps its end", () => {
  const used = { ticks: 0, orchestrator_calls: 0, builder_calls: 0, verify_runs: 0, reviewer_calls: 0 };
  const course = Array.from({ length: 5000 }, (_, at) => ({
    at: new Date(at * 1000).toISOString(),
    runId: String(at),
    milestoneId: null,
    used: { ...used, ticks: at + 1, estimated_cost_usd: at / 100 },
  }));
  const last = course.at(-1)?.used ?? { ...used, estimated_cost_usd: 0 };
  const money = makeMoneyPage({
    records: [],
    budgets: { milestoneId: null, used: last, caps: budgets.per_milestone },
    course,
  });
  expect(money.moments.length).toBeLessThanOrEqual(120);
  expect(money.budgets.map(({ name, cap }) => [name, cap]).slice(0, 1)).toEqual([["dollars", null]]);
  expect(money.budgets[1]?.values.at(-1)).toBe(5000);
});

test("steps go from the left to the right edge, and the highest value is at the top", () => {
  const moments = ["2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z", "2026-01-01T00:04:00Z"];
  expect(drawSteps(moments, [0, 5, 10], 10)).toBe("M0 100H25V50H100V0H100");
  expect(drawSteps(moments.slice(0, 1), [5], 10)).toBe("M0 50H100");
});

test("bars stay in their box, whatever the values are", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 60 }), (values) => {
      const sums = addUp(values);
      for (const { x, width, y, height } of drawBars(values, sums.at(-1) ?? 0)) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(100);
        expect(y).toBeGreaterThanOrEqual(-0.01);
        expect(y + height).toBeLessThanOrEqual(100.01);
      }
    }),
  );
});
