/** Charts of what was spent: their last values are those of `relais status --json`, and their shapes those of the values. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeDefaultConfig } from "../../../src/contract/config/config.ts";
import { JournalLine } from "../../../src/contract/journal/event.ts";
import { foldShared } from "../../../src/contract/journal/folded-lines.ts";
import { BudgetCourse } from "../../../src/core/history/budget-course.ts";
import { foldWorkspaceState } from "../../../src/core/history/workspace-state.ts";
import { listTickRecords } from "../../../src/core/tick/tick-records.ts";
import { addUp, drawBars, drawSteps } from "../../../src/web/page-model/chart-lines.ts";
import { makeMoneyPage } from "../../../src/web/page-model/money-page.ts";
import { HISTORIES } from "../../histories/restored-history.ts";

const { budgets } = makeDefaultConfig();

describe.each(HISTORIES)("$id", ({ folder }) => {
  const lines = readFileSync(join(folder, "state", "journal.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => v.parse(JournalLine, JSON.parse(line)));
  const { budgets: used, milestone_id: milestoneId } = foldWorkspaceState(lines, budgets);

  test("each budget grew to what the status says, and each series and day adds up to the total", () => {
    const course = foldShared(lines).fold(BudgetCourse).list();
    const records = listTickRecords(lines);
    const caps = { ...budgets.per_milestone, max_estimated_cost_usd: 1 };
    const money = makeMoneyPage({ records, budgets: { milestoneId, used, caps }, course });
    expect(money.budgets.length).toBe(6);
    for (const budget of money.budgets) expect(budget.values.at(-1)).toBe(budget.used);
    expect(money.moments).toEqual(money.moments.toSorted());
    expect(money.days.reduce((sum, { ticks }) => sum + ticks, 0)).toBe(money.total.ticks);
    expect(money.series.reduce((sum, { ticks }) => sum + ticks, 0)).toBe(money.total.ticks);
  });

  test("the course of some ticks has no other", () => {
    const first = listTickRecords(lines).find(({ endedAt }) => endedAt !== null);
    const own = foldShared(lines)
      .fold(BudgetCourse)
      .listOf(new Set([first?.runId ?? ""]));
    expect(own.map(({ runId }) => runId)).toEqual(first === undefined ? [] : [first.runId]);
  });
});

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
