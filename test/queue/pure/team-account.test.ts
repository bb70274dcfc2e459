import * as v from "valibot";
import { expect, test } from "vitest";
import { type Amount, BudgetCap, type BudgetRow } from "../../../src/queue/pure/team-budget.ts";
import {
  type BudgetEntry,
  countBudget,
  describeTeamBudget,
  EMPTY_BUDGET,
  isOverBudget,
  reserveBudget,
  settleBudget,
  viewBudget,
} from "../../../src/queue/pure/team-account.ts";

const CAP: BudgetCap = { per: "day", dollars: 5, reserve: 1, reserve_tokens: 100 };
const $ = (dollars: number, tokens = 0): Amount => ({ dollars, tokens });
const reserve = (
  row: BudgetRow,
  key: string,
  { by, total = $(0) }: Partial<BudgetEntry> & Pick<BudgetEntry, "by">,
): BudgetRow => {
  const next = reserveBudget(row, { key, by, total }, CAP);
  if (next === null) throw new Error("nothing is left");
  return next;
};
const count = (row: BudgetRow, by: string, total: number): BudgetRow =>
  countBudget(row, { key: "a", by, total: $(total) }) ?? row;

test("what is held for running jobs counts until they are settled", () => {
  const full = ["a", "b", "c", "d", "e"].reduce((row, key) => reserve(row, key, { by: "ben" }), EMPTY_BUDGET);
  expect(reserveBudget(full, { key: "f", by: "cleo", total: $(0) }, CAP)).toBeNull();
  const one = settleBudget(full, { key: "a", total: $(0.25) });
  expect(viewBudget(one, CAP)).toMatchObject({ spent: $(0.25), reserved: $(4) });
  expect(reserveBudget(one, { key: "f", by: "cleo", total: $(0) }, CAP)).toBeNull();
  expect(
    reserveBudget(settleBudget(one, { key: "b", total: $(0) }), { key: "f", by: "cleo", total: $(0) }, CAP),
  ).not.toBeNull();
});

test("the same job and total are counted once, and what a lost worker spent is its own", () => {
  const lost = count(count(reserve(EMPTY_BUDGET, "a", { by: "ben" }), "ben", 2), "ben", 2);
  expect(viewBudget(lost, CAP)).toMatchObject({ spent: $(2), reserved: $(0), by: [{ member: "ben", dollars: 2 }] });
  // The log had 2.5 when the successor claimed it.
  const taken = reserve(lost, "a", { by: "cleo", total: $(2.5) });
  expect(viewBudget(taken, CAP)).toMatchObject({
    spent: $(2.5),
    reserved: $(1),
    by: [{ member: "ben", dollars: 2.5 }],
  });
  expect(count(taken, "ben", 9)).toBe(taken); // The lost one comes back, and counts nothing.
  const done = settleBudget(count(taken, "cleo", 3), { key: "a", total: $(3.25) });
  expect(settleBudget(done, { key: "a", total: $(3.25) })).toBe(done);
  expect(viewBudget(done, CAP)).toMatchObject({
    spent: $(3.25),
    by: [
      { member: "ben", dollars: 2.5 },
      { member: "cleo", dollars: 0.75 },
    ],
  });
});

test("a running job that spends more than there is ends, and the words name who spent what", () => {
  const row = count(reserve(EMPTY_BUDGET, "a", { by: "ben" }), "ben", 5.5);
  expect(isOverBudget(row, CAP)).toBe(true);
  expect(describeTeamBudget(viewBudget(row, CAP))).toBe("the team has spent $5.50 (ben $5.50) of $5.00 a day");
});

const enter = (key: string, tokens = 0) => ({ key, by: "ben", total: $(9, tokens) });

test("tokens have a cap of their own, beside the dollars or alone", () => {
  const cap: BudgetCap = { per: "total", tokens: 1_000_000, reserve: 1, reserve_tokens: 400_000 };
  const one = reserveBudget(EMPTY_BUDGET, enter("a"), cap) ?? EMPTY_BUDGET;
  const two = reserveBudget(one, enter("b"), cap) ?? EMPTY_BUDGET;
  expect(reserveBudget(two, enter("c"), cap)).toBeNull();
  const spent = settleBudget(countBudget(two, enter("a", 700_000)) ?? two, enter("b", 400_001));
  expect(isOverBudget(spent, cap)).toBe(true);
  expect(describeTeamBudget(viewBudget(spent, cap))).toBe(
    "the team has spent 1,100,001 tokens (ben 1,100,001 tokens) of 1,000,000 tokens",
  );
  const both = { ...cap, dollars: 5 };
  expect(isOverBudget(spent, { ...both, tokens: 2_000_000 })).toBe(false);
  expect(describeTeamBudget(viewBudget(EMPTY_BUDGET, both))).toBe(
    "the team has spent $0.00 of $5.00; the team has spent 0 tokens of 1,000,000 tokens",
  );
  expect(v.is(BudgetCap, { per: "day" })).toBe(false);
});
