import { expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { lowerMoneyCaps } from "../../../src/checks/pure/apply-choices.ts";
import { countLeft, NOTHING_SPENT } from "../../../src/tick/pure/budget.ts";

function read(document: unknown) {
  const parsed = parseConfig(document);
  if (parsed.kind === "invalid") throw new Error("no configuration");
  return { text: JSON.stringify(document), config: parsed.value };
}

const caps = (run: number | null, milestone: number | null) => ({
  budgets: { per_run: { max_estimated_cost_usd: run }, per_milestone: { max_estimated_cost_usd: milestone } },
});

const spent = (dollars: number) => ({ ...NOTHING_SPENT, estimated_cost_usd: dollars });

test.each([
  [null, null, null],
  [10, null, 6],
  [null, 10, 8],
  [10, 7, 5],
  [3, 7, 0],
])("caps of %s for the series and %s for the milestone leave %s", (run, milestone, left) => {
  const state = { budgets: spent(2), series: { series_id: "s", budgets: spent(4), empty_ticks: 0 } };
  const { budgets } = read(caps(run, milestone)).config;
  expect(countLeft(state, budgets, "estimated_cost_usd")).toBe(left);
});

test.each([
  [caps(null, null), 2],
  [caps(1, null), 1],
  [caps(5, null), 2],
])("the share of an attempt lowers its caps and raises none", (document, expected) => {
  const { config } = read(JSON.parse(lowerMoneyCaps(read(document), 2)));
  expect(config.budgets.per_run.max_estimated_cost_usd).toBe(expected);
  expect(config.builder.claude_code.max_budget_usd).toBe(2);
});
