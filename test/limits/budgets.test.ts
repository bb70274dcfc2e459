/** What budgets end, and what they no longer end. */
import { expect, test } from "vitest";
import * as v from "valibot";
import { Config } from "../../src/config/config.ts";
import { listBudgetWarnings, NOTHING_SPENT, reservePlanned, reserveWork } from "../../src/tick/pure/budget.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inTurn } from "../support/scenario.ts";

const afterTicks = (ticks: number) => ({ budgets: { ...NOTHING_SPENT, ticks }, series: null });
const budgetsOf = (budgets: object) => v.parse(Config, { budgets }).budgets;

test("a campaign of a hundred iterations with two verifiers and ten commands passes no mark of a warning", () => {
  const { campaign, budgets } = v.parse(Config, {});
  const verifications = campaign.max_iterations * 4;
  const spent = {
    ...NOTHING_SPENT,
    ticks: campaign.max_iterations + verifications,
    builder_calls: campaign.max_iterations * (1 + campaign.max_restarts),
    verify_runs: 10 * verifications,
    reviewer_calls: 2 * verifications,
  };
  const series = { series_id: "series-0001", budgets: spent, empty_ticks: 0 };
  expect(listBudgetWarnings({ budgets: spent, series }, budgets)).toEqual([]);
});

test("money is said in dollars", () => {
  const budgets = budgetsOf({ per_milestone: { max_estimated_cost_usd: 0.05 } });
  const spent = { ...NOTHING_SPENT, estimated_cost_usd: 0.03 + 0.03 + 5e-18 };
  expect(listBudgetWarnings({ budgets: spent, series: null }, budgets)).toEqual([
    "estimated_cost_usd of this milestone: $0.06 of $0.05 used.",
  ]);
});

test("a cap that is not reached is not called reached", () => {
  const budgets = budgetsOf({ per_milestone: { max_verify_runs: 2 } });
  const spent = { budgets: { ...NOTHING_SPENT, verify_runs: 1 }, series: null };
  expect(reserveWork(spent, budgets, { verify_runs: 2, reviewer_calls: 0 })).toMatchObject({
    code: "BLOCKED_BUDGET_EXHAUSTED",
    message: "verify_runs of this milestone: 1 of 2 used, and 2 may be needed (budgets.per_milestone.max_verify_runs).",
  });
});

test("another task of a milestone at its cap is refused once it is known", () => {
  const budgets = budgetsOf({ per_milestone: { max_ticks: 2 } });
  expect(reservePlanned(afterTicks(2), budgets, 1)).toMatchObject({ kind: "ok" });
  expect(reservePlanned(afterTicks(3), budgets, 1)).toMatchObject({
    code: "BLOCKED_BUDGET_CAP",
    cause: "ticks",
  });
});

test("a planned task needs room for its attempts and fallbacks, too", () => {
  const budgets = budgetsOf({ per_milestone: { max_builder_calls: 2 } });
  const spent = { budgets: { ...NOTHING_SPENT, ticks: 1, builder_calls: 1 }, series: null };
  expect(reservePlanned(spent, budgets, 1)).toMatchObject({ kind: "ok" });
  expect(reservePlanned(spent, budgets, 2)).toMatchObject({ code: "BLOCKED_BUDGET_EXHAUSTED", cause: "builder_calls" });
});

test("a campaign that was cleaned has its count back", () =>
  inTurn(() =>
    inCampaignWorld(
      {
        config: {
          budgets: { per_milestone: { max_builder_calls: 2 } },
          loop: { soft_stop_at_warning: false },
        },
      },
      async ({ campaign, sessions }) => {
        expect((await campaign("run", "lines")).summary).toMatchObject({ sentinel: "complete" });
        expect((await campaign("clean", "lines")).status).toBe(0);
        expect((await campaign("run", "lines")).summary).toMatchObject({ sentinel: "complete" });
        expect(sessions().filter((one) => one.startsWith("worker"))).toHaveLength(4);
      },
    ),
  ));
