import type { BudgetUse } from "../../records/status-answers.ts";
import type { BudgetPoint } from "../../journal/pure/rate-limit.ts";
import { reportUsage } from "../../tick/pure/report-parts.ts";
import {
  findBuilding,
  findJudgement,
  findPlanning,
  findSettled,
  findStart,
  isUndone,
} from "../../tick/pure/tick-facts.ts";
import type { TickRecord } from "../../tick/pure/tick-records.ts";
import { formatDollarSum } from "../../base/words.ts";
import { COUNTERS } from "../../cards/budget-rows.ts";
import type { MoneyPage, PageBudget, PageSeriesCost, Spent } from "./repository-documents.ts";

const NOTHING: Spent = { cost: 0, ticks: 0, tokensIn: 0, tokensOut: 0 };
const DAY_CHARS = 10;
const POINTS_MAX = 120;
const SERIES_MAX = 12;

type Usage = ReturnType<typeof reportUsage>[number];

interface MoneySource {
  readonly records: readonly TickRecord[];
  /** Null before anything was set up. */
  readonly budgets: Pick<BudgetUse, "milestoneId" | "used" | "caps"> | null;
  /** How they came to that, in the order of time. */
  readonly course: readonly BudgetPoint[];
}

/** What was spent, as the agents reported it; nothing is estimated. */
export function makeMoneyPage({ records, budgets, course }: MoneySource): MoneyPage {
  const days = new Map<string, Spent>();
  const agents = new Map<string, Spent>();
  const series = new Map<string, PageSeriesCost>();
  let total = NOTHING;
  let [unreported, keptLines] = [0, 0];
  for (const record of records) {
    const usage = reportUsage(record.state);
    const spent = usage.reduce(addUsage, NOTHING);
    const day = record.startedAt.slice(0, DAY_CHARS);
    total = addSpent(total, { ...spent, ticks: 1 });
    days.set(day, addSpent(days.get(day) ?? NOTHING, { ...spent, ticks: 1 }));
    for (const one of usage) addToAgent(agents, one);
    addToSeries(series, record, spent);
    if (hadSession(record) && usage.every(({ cost_usd }) => cost_usd === null)) unreported += 1;
    keptLines += countKeptLines(record);
  }
  return {
    kind: "money",
    total,
    unreported,
    days: [...days].map(([day, spent]) => ({ day, ...spent })).toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    agents: [...agents].map(([name, spent]) => ({ name, ...spent })).toSorted((one, other) => other.cost - one.cost),
    series: [...series.values()].slice(-SERIES_MAX).toReversed(),
    keptLines,
    perKeptLine: keptLines === 0 || total.cost === 0 ? null : total.cost / keptLines,
    ...describeBudgets(budgets, course),
  };
}

function addToSeries(all: Map<string, PageSeriesCost>, record: TickRecord, spent: Spent): void {
  const { seriesId, startedAt, state } = record;
  const command = findStart(state)?.series?.command ?? "run";
  const known = all.get(seriesId) ?? { seriesId, command, startedAt, ...NOTHING };
  all.set(seriesId, { ...known, ...addSpent(known, { ...spent, ticks: 1 }) });
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

type BudgetPart = Pick<MoneyPage, "budgets" | "milestone" | "moments">;

function describeBudgets(budgets: MoneySource["budgets"], course: readonly BudgetPoint[]): BudgetPart {
  if (budgets === null) return { budgets: [], milestone: null, moments: [] };
  const shown = thinOut(course);
  return {
    budgets: listBudgets(budgets, shown),
    milestone: budgets.milestoneId,
    moments: shown.map(({ at }) => at),
  };
}

/** A chart has no room for more; the last one is always there. */
function thinOut(course: readonly BudgetPoint[]): readonly BudgetPoint[] {
  const every = Math.ceil(course.length / POINTS_MAX);
  return course.filter((_, at) => (course.length - 1 - at) % every === 0);
}

/** Dollars only where they are capped or reported. */
function listBudgets(
  { used, caps }: NonNullable<MoneySource["budgets"]>,
  course: readonly BudgetPoint[],
): readonly PageBudget[] {
  const { max_estimated_cost_usd: cap } = caps;
  const dollars = { name: "dollars", counter: "estimated_cost_usd", cap, isDollars: true } as const;
  return [
    ...(cap === null && used.estimated_cost_usd === 0 ? [] : [dollars]),
    ...COUNTERS.map(([name, counter, maximum]) => ({ name, counter, cap: caps[maximum], isDollars: false })),
  ].map(({ counter, ...budget }) => ({
    ...budget,
    used: used[counter],
    values: course.map((point) => point.used[counter]),
  }));
}
