/** The budget of a team as a value: each function answers the next one, or null where nothing is left. */
import {
  type Amount,
  BUDGET_UNITS,
  type BudgetCap,
  type BudgetRow,
  type BudgetUnit,
  type BudgetView,
} from "./team-budget.ts";

export const EMPTY_BUDGET: BudgetRow = { spent: {}, open: {} };

/** A job on the row: its key names its repository and itself. */
export interface BudgetEntry {
  readonly key: string;
  readonly by: string;
  readonly total: Amount;
}

type OpenJob = BudgetRow["open"][string];

const NOTHING: Amount = { dollars: 0, tokens: 0 };

function combine(one: Amount, other: Amount, join: (one: number, other: number) => number): Amount {
  return { dollars: join(one.dollars, other.dollars), tokens: join(one.tokens, other.tokens) };
}

/** An infinite sum would be nothing in the row. */
const add = (one: Amount, other: Amount): Amount => combine(one, other, (a, b) => Math.min(Number.MAX_VALUE, a + b));
const subtract = (one: Amount, other: Amount): Amount => combine(one, other, (a, b) => Math.max(0, a - b));
const greatest = (one: Amount, other: Amount): Amount => combine(one, other, Math.max);
const sum = (amounts: readonly Amount[]): Amount => amounts.reduce(add, NOTHING);
const isMore = (one: Amount, other: Amount): boolean => BUDGET_UNITS.some((unit) => one[unit] > other[unit]);

/** Members choose their names: `constructor` is one, and no row of every object. */
function findOwn<T>(rows: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}

const used = ({ before, total }: OpenJob): Amount => subtract(total, before);

/** Spent, and held for jobs that run. */
function commit({ spent, open }: BudgetRow): Amount {
  return sum([...Object.values(spent), ...Object.values(open).map((job) => greatest(used(job), job.reserved))]);
}

/** What the owner set no cap for is never too much. */
function isWithin(amount: Amount, cap: BudgetCap): boolean {
  return BUDGET_UNITS.every((unit) => amount[unit] <= (cap[unit] ?? Infinity));
}

/** What an earlier worker of the same job has spent is counted as its own, once. */
export function reserveBudget(row: BudgetRow, entry: BudgetEntry, cap: BudgetCap): BudgetRow | null {
  const settled = settleBudget(row, entry);
  const { key, by, total } = entry;
  const reserved = {
    dollars: cap.dollars === undefined ? 0 : cap.reserve,
    tokens: cap.tokens === undefined ? 0 : cap.reserve_tokens,
  };
  if (!isWithin(add(commit(settled), reserved), cap)) return null;
  return { ...settled, open: { ...settled.open, [key]: { by, before: total, total, reserved } } };
}

/** Null where the job has no place on the row: another one has counted it. */
export function countBudget(row: BudgetRow, { key, by, total }: BudgetEntry): BudgetRow | null {
  const job = findOwn(row.open, key);
  if (job === undefined || job.by !== by || !isMore(total, job.total)) return null;
  return { ...row, open: { ...row.open, [key]: { ...job, total: greatest(total, job.total) } } };
}

export function settleBudget(row: BudgetRow, { key, total }: Omit<BudgetEntry, "by">): BudgetRow {
  const { [key]: _, ...open } = row.open;
  const job = findOwn(row.open, key);
  if (job === undefined) return row;
  const cost = subtract(greatest(job.total, total), job.before);
  return { open, spent: { ...row.spent, [job.by]: add(findOwn(row.spent, job.by) ?? NOTHING, cost) } };
}

export function isOverBudget(row: BudgetRow, cap: BudgetCap): boolean {
  return !isWithin(viewBudget(row, cap).spent, cap);
}

export function viewBudget(row: BudgetRow, { per, dollars, tokens }: BudgetCap): BudgetView {
  const by = new Map(Object.entries(row.spent));
  for (const job of Object.values(row.open)) by.set(job.by, add(by.get(job.by) ?? NOTHING, used(job)));
  const spent = sum([...by.values()]);
  const members = [...by].map(([member, amount]) => ({ member, ...amount })).filter((one) => isMore(one, NOTHING));
  return {
    per,
    cap: { ...(dollars === undefined ? {} : { dollars }), ...(tokens === undefined ? {} : { tokens }) },
    spent,
    reserved: subtract(commit(row), spent),
    by: members.toSorted((a, b) => b.dollars - a.dollars || b.tokens - a.tokens),
  };
}

export function describeTeamBudget(view: BudgetView): string {
  return BUDGET_UNITS.flatMap((unit) => describeUnit(view, unit)).join("; ");
}

function describeUnit({ per, cap, spent, reserved, by }: BudgetView, unit: BudgetUnit): readonly string[] {
  const most = cap[unit];
  if (most === undefined) return [];
  const spenders = by.filter((one) => one[unit] > 0).map((one) => `${one.member} ${write(unit, one[unit])}`);
  const whom = spenders.length === 0 ? "" : ` (${spenders.join(", ")})`;
  const held = reserved[unit] > 0 ? `, ${write(unit, reserved[unit])} held for running jobs` : "";
  return [
    `the team has spent ${write(unit, spent[unit])}${whom} of ${write(unit, most)}${per === "day" ? " a day" : ""}${held}`,
  ];
}

function write(unit: BudgetUnit, amount: number): string {
  return unit === "dollars" ? `$${amount.toFixed(2)}` : `${amount.toLocaleString("en-US")} tokens`;
}
