/** The budget of a team as a value: each function answers the next one, or null where nothing is left. */
import type { BudgetCap, BudgetRow, BudgetView } from "../../contract/queue/team-budget.ts";

export const EMPTY_BUDGET: BudgetRow = { spent: {}, open: {} };

/** A job on the row: its key names its repository and itself. */
export interface BudgetEntry {
  readonly key: string;
  readonly by: string;
  readonly total: number;
}

type OpenJob = BudgetRow["open"][string];

const used = ({ before, total }: OpenJob): number => total - before;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Spent, and held for jobs that run. */
function commit({ spent, open }: BudgetRow): number {
  return sum([...Object.values(spent), ...Object.values(open).map((job) => Math.max(used(job), job.reserved))]);
}

/** What an earlier worker of the same job has spent is counted as its own, once. */
export function reserveBudget(row: BudgetRow, entry: BudgetEntry, cap: BudgetCap): BudgetRow | null {
  const settled = settleBudget(row, entry);
  const { key, by, total } = entry;
  if (commit(settled) + cap.reserve > cap.dollars) return null;
  return { ...settled, open: { ...settled.open, [key]: { by, before: total, total, reserved: cap.reserve } } };
}

/** Null where the job has no place on the row: another one has counted it. */
export function countBudget(row: BudgetRow, { key, by, total }: BudgetEntry): BudgetRow | null {
  const job = row.open[key];
  if (job === undefined || job.by !== by || total <= job.total) return null;
  return { ...row, open: { ...row.open, [key]: { ...job, total } } };
}

export function settleBudget(row: BudgetRow, { key, total }: Omit<BudgetEntry, "by">): BudgetRow {
  const { [key]: job, ...open } = row.open;
  if (job === undefined) return row;
  const cost = Math.max(0, Math.max(job.total, total) - job.before);
  return { open, spent: { ...row.spent, [job.by]: (row.spent[job.by] ?? 0) + cost } };
}

export function isOverBudget(row: BudgetRow, cap: BudgetCap): boolean {
  return viewBudget(row, cap).spent > cap.dollars;
}

export function viewBudget(row: BudgetRow, { per, dollars: cap }: BudgetCap): BudgetView {
  const by = new Map(Object.entries(row.spent));
  for (const job of Object.values(row.open)) by.set(job.by, (by.get(job.by) ?? 0) + used(job));
  const spent = sum([...by.values()]);
  const members = [...by].map(([member, dollars]) => ({ member, dollars })).filter(({ dollars }) => dollars > 0);
  return { per, cap, spent, reserved: commit(row) - spent, by: members.toSorted((a, b) => b.dollars - a.dollars) };
}

export function describeTeamBudget({ per, cap, spent, reserved, by }: BudgetView): string {
  const whom =
    by.length === 0 ? "" : ` (${by.map(({ member, dollars }) => `${member} $${dollars.toFixed(2)}`).join(", ")})`;
  const held = reserved > 0 ? `, $${reserved.toFixed(2)} held for running jobs` : "";
  return `the team has spent $${spent.toFixed(2)}${whom} of $${cap.toFixed(2)}${per === "day" ? " a day" : ""}${held}`;
}
