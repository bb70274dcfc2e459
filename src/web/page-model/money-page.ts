import type { BudgetUse } from "../../contract/answers/status.ts";
import { reportSessions } from "../../core/tick/report-parts.ts";
import { findBuilding, findJudgement, findPlanning, findSettled, isUndone } from "../../core/tick/tick-facts.ts";
import type { TickRecord } from "../../core/tick/tick-records.ts";
import { formatDollarSum } from "../../core/words/dollars.ts";
import { COUNTERS } from "../../view/live/budget-rows.ts";
import type { MoneyPage, PageBudget, Spent } from "./repository-documents.ts";

const NOTHING: Spent = { cost: 0, ticks: 0, tokensIn: 0, tokensOut: 0 };
const DAY_CHARS = 10;

type Usage = ReturnType<typeof reportSessions>["usage"][number];

/** What was spent, as the agents reported it; nothing is estimated. */
export function makeMoneyPage(records: readonly TickRecord[], budgets: BudgetUse | null): MoneyPage {
  const days = new Map<string, Spent>();
  const agents = new Map<string, Spent>();
  let total = NOTHING;
  let [unreported, keptLines] = [0, 0];
  for (const record of records) {
    const { usage } = reportSessions(record.state);
    const spent = usage.reduce(addUsage, NOTHING);
    const day = record.startedAt.slice(0, DAY_CHARS);
    total = addSpent(total, { ...spent, ticks: 1 });
    days.set(day, addSpent(days.get(day) ?? NOTHING, { ...spent, ticks: 1 }));
    for (const one of usage) addToAgent(agents, one);
    if (hadSession(record) && usage.every(({ cost_usd }) => cost_usd === null)) unreported += 1;
    keptLines += countKeptLines(record);
  }
  return {
    kind: "money",
    total,
    unreported,
    days: [...days].map(([day, spent]) => ({ day, ...spent })).toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    agents: [...agents].map(([name, spent]) => ({ name, ...spent })).toSorted((one, other) => other.cost - one.cost),
    keptLines,
    perKeptLine: keptLines === 0 || total.cost === 0 ? null : total.cost / keptLines,
    ...describeBudgets(budgets),
  };
}

function addToAgent(agents: Map<string, Spent>, usage: Usage): void {
  const name = `${usage.driver} as ${usage.role}`;
  const known = agents.get(name) ?? NOTHING;
  agents.set(name, { ...addUsage(known, usage), ticks: known.ticks + 1 });
}

function addUsage(spent: Spent, { cost_usd, input_tokens, output_tokens }: Usage): Spent {
  return {
    ...spent,
    cost: formatDollarSum(spent.cost, cost_usd ?? 0),
    tokensIn: spent.tokensIn + (input_tokens ?? 0),
    tokensOut: spent.tokensOut + (output_tokens ?? 0),
  };
}

function addSpent(one: Spent, other: Spent): Spent {
  return {
    cost: formatDollarSum(one.cost, other.cost),
    ticks: one.ticks + other.ticks,
    tokensIn: one.tokensIn + other.tokensIn,
    tokensOut: one.tokensOut + other.tokensOut,
  };
}

/** A patch needs no session. */
function hadSession({ state }: TickRecord): boolean {
  const driver = findBuilding(state)?.driver;
  return findPlanning(state) !== null || (driver !== undefined && driver !== "patch");
}

function countKeptLines({ state }: TickRecord): number {
  const isKept = (findSettled(state)?.action ?? "rollback") !== "rollback" && !isUndone(state);
  const radius = isKept ? findJudgement(state)?.blast_radius : undefined;
  return radius === undefined ? 0 : radius.lines_added + radius.lines_deleted;
}

function describeBudgets(budgets: BudgetUse | null): Pick<MoneyPage, "budgets" | "milestone"> {
  if (budgets === null) return { budgets: [], milestone: null };
  return { budgets: listBudgets(budgets), milestone: budgets.milestoneId };
}

/** Dollars only where they are capped or reported. */
function listBudgets({ used, caps }: BudgetUse): readonly PageBudget[] {
  const { max_estimated_cost_usd: cap } = caps;
  return [
    ...(cap === null ? [] : [{ name: "dollars", used: used.estimated_cost_usd, cap, isDollars: true }]),
    ...COUNTERS.map(([name, counter, maximum]) => ({
      name,
      used: used[counter],
      cap: caps[maximum],
      isDollars: false,
    })),
  ];
}
