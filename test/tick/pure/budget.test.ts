import fc from "fast-check";
import { expect, test } from "vitest";
import { Config } from "../../../src/config/config.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import { NOTHING_SPENT, listBudgetWarnings, checkBudget, reserveWork } from "../../../src/tick/pure/budget.ts";

type Budgets = Config["budgets"];
type Counters = typeof NOTHING_SPENT;

function budgets(section: object): Budgets {
  const parsed = parseWith(Config, { budgets: section });
  if (parsed.kind !== "valid") throw new Error("the fixture is no configuration");
  return parsed.value.budgets;
}

function spent(milestone: Partial<Counters>, series: Partial<Counters> | null = null) {
  return {
    budgets: { ...NOTHING_SPENT, ...milestone },
    series:
      series === null ? null : { series_id: "series-0001", budgets: { ...NOTHING_SPENT, ...series }, empty_ticks: 0 },
  };
}

const WITHOUT_BRAIN = {
  usesOrchestrator: false,
  maxParseRetries: 1,
  usesBuilder: true,
  usesChecks: true,
  usesReviewers: false,
};
const WITH_BRAIN = { ...WITHOUT_BRAIN, usesOrchestrator: true };
const NOBODY = { ...WITHOUT_BRAIN, usesBuilder: false };

test.each([
  [{ ticks: 2499 }, "ok"],
  [{ ticks: 2500 }, "BLOCKED_BUDGET_CAP"],
  [{ ticks: 2501 }, "BLOCKED_BUDGET_CAP"],
  [{ orchestrator_calls: 1623 }, "ok"],
  [{ orchestrator_calls: 1624 }, "BLOCKED_BUDGET_EXHAUSTED"],
  [{ orchestrator_calls: 1625 }, "BLOCKED_BUDGET_CAP"],
  [{ builder_calls: 1499 }, "ok"],
  [{ builder_calls: 1500 }, "BLOCKED_BUDGET_CAP"],
  [{ verify_runs: 14_999 }, "ok"],
  [{ verify_runs: 15_000 }, "BLOCKED_BUDGET_CAP"],
  [{ reviewer_calls: 5000 }, "ok"],
  [{ orchestrator_calls: 1624, builder_calls: 1500 }, "BLOCKED_BUDGET_CAP"],
])("with the default caps and %j spent by its series, a tick with a retry is %s", (series, expected) => {
  const decision = checkBudget(spent({}, series), budgets({}), WITH_BRAIN);
  expect(decision.kind === "ok" ? "ok" : decision.code).toBe(expected);
});

test("a tick without an orchestrator needs none of its calls, not even where none are allowed", () => {
  const none = budgets({ per_milestone: { max_orchestrator_calls: 0 } });
  expect(checkBudget(spent({}), none, WITHOUT_BRAIN).kind).toBe("ok");
  expect(checkBudget(spent({}), none, WITH_BRAIN)).toMatchObject({ code: "BLOCKED_BUDGET_CAP" });
});

test("a spent milestone blocks a plan, unless it may open another one", () => {
  const caps = budgets({ per_milestone: { max_ticks: 1 } });
  const full = spent({ ticks: 1 });
  expect(checkBudget(full, caps, WITH_BRAIN)).toMatchObject({ code: "BLOCKED_BUDGET_CAP", cause: "ticks" });
  expect(checkBudget(full, caps, { ...WITH_BRAIN, mayOpenMilestone: true }).kind).toBe("ok");
  expect(checkBudget(full, caps, { ...WITHOUT_BRAIN, mayOpenMilestone: true }).kind).toBe("blocked");
});

test("the retry is reserved only where there is one", () => {
  const left = spent({}, { orchestrator_calls: 1624 });
  const tick = { ...WITH_BRAIN, maxParseRetries: 0 };
  expect(checkBudget(left, budgets({}), tick).kind).toBe("ok");
});

test("a tick that only verifies needs no builder, and no money where nobody reviews", () => {
  const full = spent({ builder_calls: 600, estimated_cost_usd: 5 });
  const caps = budgets({ per_milestone: { max_estimated_cost_usd: 5 } });
  expect(checkBudget(full, caps, NOBODY).kind).toBe("ok");
  const reviewed = { ...NOBODY, usesReviewers: true };
  expect(checkBudget(full, caps, reviewed)).toMatchObject({ cause: "estimated_cost_usd" });
  expect(checkBudget(full, budgets({}), reviewed).kind).toBe("ok");
});

test("the message names the counter, what is used, the cap and the key", () => {
  expect(checkBudget(spent({ builder_calls: 600 }), budgets({}), WITHOUT_BRAIN)).toEqual({
    kind: "blocked",
    code: "BLOCKED_BUDGET_CAP",
    cause: "builder_calls",
    message:
      "builder_calls of this milestone: 600 of 600 used; the cap budgets.per_milestone.max_builder_calls is reached.",
  });
});

test("a series has its own caps, and one that has not begun has spent nothing", () => {
  const caps = budgets({ per_run: { max_ticks: 3 } });
  expect(checkBudget(spent({ ticks: 3 }, { ticks: 2 }), caps, WITHOUT_BRAIN).kind).toBe("ok");
  expect(checkBudget(spent({}, { ticks: 3 }), caps, WITHOUT_BRAIN)).toMatchObject({
    code: "BLOCKED_BUDGET_CAP",
    message: "ticks of this series: 3 of 3 used; the cap budgets.per_run.max_ticks is reached.",
  });
  expect(checkBudget(spent({ ticks: 3 }), caps, WITHOUT_BRAIN).kind).toBe("ok");
});

test.each([
  [0.99, "ok"],
  [1, "BLOCKED_BUDGET_CAP"],
  [1.5, "BLOCKED_BUDGET_CAP"],
])("of one dollar, %d reported ones make a tick %s", (estimated_cost_usd, expected) => {
  const caps = budgets({ per_milestone: { max_estimated_cost_usd: 1 } });
  const decision = checkBudget(spent({ estimated_cost_usd }), caps, WITHOUT_BRAIN);
  expect(decision.kind === "ok" ? "ok" : decision.code).toBe(expected);
  expect(checkBudget(spent({ estimated_cost_usd }), budgets({}), WITHOUT_BRAIN).kind).toBe("ok");
});

test.each([
  [5997, 3, "ok"],
  [5998, 3, "BLOCKED_BUDGET_EXHAUSTED"],
  [6000, 1, "BLOCKED_BUDGET_CAP"],
  [6000, 0, "ok"],
  [6001, 0, "ok"],
])("with %d checks run of 6000, %d more are %s", (verify_runs, count, expected) => {
  const decision = reserveWork(spent({ verify_runs }), budgets({}), {
    verify_runs: count,
    reviewer_calls: 0,
  });
  expect(decision.kind === "ok" ? "ok" : decision.code).toBe(expected);
});

test("the checks of a series are capped too", () => {
  const caps = budgets({ per_run: { max_verify_runs: 10 } });
  expect(reserveWork(spent({}, { verify_runs: 9 }), caps, { verify_runs: 2, reviewer_calls: 0 })).toMatchObject({
    code: "BLOCKED_BUDGET_EXHAUSTED",
    cause: "verify_runs_of_series",
    message: "verify_runs of this series: 9 of 10 used, and 2 may be needed (budgets.per_run.max_verify_runs).",
  });
});

test("a warning comes at the fraction and not before, for each counter and account", () => {
  const caps = budgets({
    per_milestone: { max_ticks: 10, max_estimated_cost_usd: 2 },
    per_run: { max_ticks: 20 },
  });
  expect(listBudgetWarnings(spent({ ticks: 7 }, { ticks: 15 }), caps)).toEqual([]);
  const near = spent({ ticks: 8, estimated_cost_usd: 1.6 }, { ticks: 16 });
  const warnings = [
    "ticks of this milestone: 8 of 10 used.",
    "estimated_cost_usd of this milestone: $1.60 of $2.00 used.",
    "ticks of this series: 16 of 20 used.",
  ];
  expect(listBudgetWarnings(near, caps)).toEqual(warnings);
  expect(checkBudget(near, caps, WITHOUT_BRAIN)).toEqual({ kind: "ok", warnings });
});

test("a fraction that is written in decimals is reached exactly", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 40 }), (percent, hundreds) => {
      const caps = budgets({
        warn_at_fraction: percent / 100,
        per_milestone: { max_ticks: hundreds * 100 },
      });
      const mark = percent * hundreds;
      expect(listBudgetWarnings(spent({ ticks: mark }), caps)).toHaveLength(1);
      expect(listBudgetWarnings(spent({ ticks: mark - 1 }), caps)).toHaveLength(0);
    }),
  );
});

const amount = fc.integer({ min: 0, max: 12 });
const counters = fc.record({
  ticks: amount,
  orchestrator_calls: amount,
  builder_calls: amount,
  verify_runs: amount,
  reviewer_calls: amount,
  estimated_cost_usd: amount,
});
const caps = fc.record({
  max_ticks: amount,
  max_orchestrator_calls: amount,
  max_builder_calls: amount,
  max_verify_runs: amount,
  max_estimated_cost_usd: fc.option(fc.integer({ min: 1, max: 12 })),
});

test("what is granted never goes over a cap, and what would not is never withheld", () => {
  fc.assert(
    fc.property(
      fc.record({ milestone: counters, series: fc.option(counters), per_milestone: caps, per_run: caps }),
      fc.record({
        usesOrchestrator: fc.boolean(),
        maxParseRetries: fc.integer({ min: 0, max: 1 }),
        usesBuilder: fc.boolean(),
        usesChecks: fc.boolean(),
        usesReviewers: fc.boolean(),
        mayOpenMilestone: fc.boolean(),
      }),
      amount,
      ({ milestone, series, per_milestone, per_run }, tick, checks) => {
        const state = spent(milestone, series);
        const limits = budgets({ per_milestone, per_run });
        const calls = tick.usesOrchestrator ? 1 + tick.maxParseRetries : 0;
        const isFree = !tick.usesOrchestrator && !tick.usesBuilder && !tick.usesReviewers;
        const fits = ([used, cap]: readonly [Counters, typeof per_milestone]) =>
          used.ticks + 1 <= cap.max_ticks &&
          (!tick.usesChecks || used.verify_runs < cap.max_verify_runs) &&
          (!tick.usesBuilder || used.builder_calls + 1 <= cap.max_builder_calls) &&
          (calls === 0 || used.orchestrator_calls + calls <= cap.max_orchestrator_calls) &&
          (isFree || cap.max_estimated_cost_usd === null || used.estimated_cost_usd < cap.max_estimated_cost_usd);
        const accounts = [
          // Its plan may open another milestone.
          [tick.usesOrchestrator && tick.mayOpenMilestone ? NOTHING_SPENT : milestone, per_milestone],
          [series ?? NOTHING_SPENT, per_run],
        ] as const;
        expect(checkBudget(state, limits, tick).kind === "ok").toBe(accounts.every(fits));
        const checksFit = ([[milestone, per_milestone], accounts[1]] as const).every(
          ([used, cap]) => checks === 0 || used.verify_runs + checks <= cap.max_verify_runs,
        );
        expect(reserveWork(state, limits, { verify_runs: checks, reviewer_calls: 0 }).kind === "ok").toBe(checksFit);
      },
    ),
  );
});
