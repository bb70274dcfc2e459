/**
 * Budgets are counted for the milestone and for the series, and the narrower cap decides. A tick starts only if its
 * highest cost is left, because a tick without budget half-way has cost something and achieved nothing. How many checks
 * and votes it needs is known later; until then it is enough that their caps are not reached. Money is only reported by
 * the agents' programs, so its cap is noticed once it is reached.
 */
import type { Config } from "../../config/config.ts";
import type { WorkspaceState } from "../../records/state.ts";
import { formatDollars } from "../../base/words.ts";

type Budgets = Config["budgets"];
type Caps = Budgets["per_milestone"];
type Counters = WorkspaceState["budgets"];
type Counter = keyof Counters;
/** Its series is the one of this tick; null has spent nothing yet. */
type Spending = Pick<WorkspaceState, "budgets" | "series">;

/** Counted by relais itself; only the cost is reported by others. */
export const CALL_COUNTERS = [
  "ticks",
  "orchestrator_calls",
  "builder_calls",
  "verify_runs",
  "reviewer_calls",
] as const satisfies readonly Counter[];
const COUNTERS = [...CALL_COUNTERS, "estimated_cost_usd"] as const satisfies readonly Counter[];

export const NOTHING_SPENT: Counters = {
  ticks: 0,
  orchestrator_calls: 0,
  builder_calls: 0,
  verify_runs: 0,
  reviewer_calls: 0,
  estimated_cost_usd: 0,
};

export type BudgetDecision =
  | { readonly kind: "ok"; readonly warnings: readonly string[] }
  | {
      readonly kind: "blocked";
      readonly code: "BLOCKED_BUDGET_CAP" | "BLOCKED_BUDGET_EXHAUSTED";
      /** Every milestone has its own counters, and a series keeps its own. */
      readonly cause: Counter | `${Counter}_of_series`;
      readonly message: string;
    };

interface WorstTick {
  readonly usesOrchestrator: boolean;
  readonly maxParseRetries: number;
  readonly usesBuilder: boolean;
  /** Builders side by side; absent is one. */
  readonly attempts?: number;
  readonly usesChecks: boolean;
  readonly usesReviewers: boolean;
  /** Whether its plan may be the first of another milestone, which has counters of its own; absent is no. */
  readonly mayOpenMilestone?: boolean;
  readonly fallbacks?: { readonly orchestrator: number; readonly builder: number };
}

const countBuilderCalls = ({ attempts = 1, fallbacks }: WorstTick): number =>
  attempts * (1 + (fallbacks?.builder ?? 0));

const startsSession = ({ usesOrchestrator, usesBuilder, usesReviewers }: WorstTick): boolean =>
  usesOrchestrator || usesBuilder || usesReviewers;

/** Whether a whole tick can be paid, as far as its cost is known before the plan. */
export function checkBudget(state: Spending, budgets: Budgets, tick: WorstTick): BudgetDecision {
  const { usesOrchestrator, mayOpenMilestone = false } = tick;
  const account = usesOrchestrator && mayOpenMilestone ? { ...state, budgets: NOTHING_SPENT } : state;
  const decision = reserve(account, budgets, listNeeds(tick));
  return decision.kind === "ok" ? { kind: "ok", warnings: listBudgetWarnings(state, budgets) } : decision;
}

function listNeeds(tick: WorstTick): Need {
  const { maxParseRetries, fallbacks } = tick;
  return {
    ticks: 1,
    ...(tick.usesOrchestrator ? { orchestrator_calls: 1 + maxParseRetries + (fallbacks?.orchestrator ?? 0) } : {}),
    ...(tick.usesBuilder ? { builder_calls: countBuilderCalls(tick) } : {}),
    // Every session costs some money, and nobody knows how much.
    ...(startsSession(tick) ? { estimated_cost_usd: 0 } : {}),
    ...(tick.usesChecks ? { verify_runs: 0 } : {}),
    ...(tick.usesReviewers ? { reviewer_calls: 0 } : {}),
  };
}

/** This tick and its plan are counted already. Attempts and fallbacks are builders, too. */
export function reservePlanned(state: Spending, budgets: Budgets, builders: number): BudgetDecision {
  const [{ used, ...milestone }] = listAccounts(state, budgets);
  const before = { ...used, ticks: used.ticks - 1, orchestrator_calls: used.orchestrator_calls - 1 };
  const need = { ticks: 1, orchestrator_calls: 0, builder_calls: builders, estimated_cost_usd: 0 };
  return findWorstShortfall({ ...milestone, used: before }, need) ?? { kind: "ok", warnings: [] };
}

/** What is left, by the narrower of both caps; null is no cap. */
export function countLeft(state: Spending, budgets: Budgets, counter: Counter): number | null {
  const left = listAccounts(state, budgets).flatMap((account) => {
    const { used, cap } = readBalance(account, counter);
    return cap === null ? [] : [Math.max(0, cap - used)];
  });
  return left.length === 0 ? null : Math.min(...left);
}

/** Whether a counter is at its cap; a cap of zero forbids what is counted, and nothing was spent. */
export function isCapReached(state: Spending, budgets: Budgets): boolean {
  return listAccounts(state, budgets).some((account) =>
    COUNTERS.some((counter) => {
      const { used, cap } = readBalance(account, counter);
      return cap !== null && used > 0 && used >= cap;
    }),
  );
}

export function isMilestoneSpent(state: Spending, budgets: Budgets): boolean {
  const [milestone] = listAccounts(state, budgets);
  return (
    findWorstShortfall(milestone, { ticks: 0, orchestrator_calls: 0, builder_calls: 0, estimated_cost_usd: 0 }) !== null
  );
}

export function reserveWork(
  state: Spending,
  budgets: Budgets,
  { verify_runs, reviewer_calls }: Pick<Counters, "verify_runs" | "reviewer_calls">,
): BudgetDecision {
  return reserve(state, budgets, {
    ...(verify_runs > 0 ? { verify_runs } : {}),
    ...(reviewer_calls > 0 ? { reviewer_calls } : {}),
  });
}

/** One sentence for each counter near its cap, the milestone's first. */
export function listBudgetWarnings(state: Spending, budgets: Budgets): readonly string[] {
  return listAccounts(state, budgets).flatMap((account) =>
    COUNTERS.flatMap((counter) => {
      const { used, cap } = readBalance(account, counter);
      const isNear = cap !== null && cap > 0 && used / cap >= budgets.warn_at_fraction;
      return isNear ? [`${counter} of this ${account.name}: ${describeSpent(counter, used, cap)}.`] : [];
    }),
  );
}

/** Stays the same while the work goes on. */
export function describeBudget(budgets: Budgets): readonly string[] {
  return describeAccounts({ budgets: NOTHING_SPENT, series: null }, budgets).map(
    ([name, amounts]) => `budget of a ${name}: ${amounts}`,
  );
}

export function describeRemainingBudget(state: Spending, budgets: Budgets): readonly string[] {
  return describeAccounts(state, budgets).map(([name, amounts]) => `left of this ${name}: ${amounts}`);
}

/** What is left of every account with a cap. */
function describeAccounts(state: Spending, budgets: Budgets): readonly (readonly [name: string, amounts: string])[] {
  return listAccounts(state, budgets).flatMap((account) => {
    const amounts = COUNTERS.flatMap((counter) => {
      const { used, cap } = readBalance(account, counter);
      return cap === null ? [] : [`${counter} ${chooseAmountFormat(counter)(Math.max(0, cap - used))}`];
    });
    return amounts.length === 0 ? [] : [[account.name, amounts.join(", ")] as const];
  });
}

function describeSpent(counter: Counter, used: number, cap: number): string {
  const amount = chooseAmountFormat(counter);
  return `${amount(used)} of ${amount(cap)} used`;
}

const chooseAmountFormat = (counter: Counter): ((amount: number) => string) =>
  counter === "estimated_cost_usd" ? formatDollars : String;

interface BudgetAccount {
  readonly name: "milestone" | "series";
  readonly section: "per_milestone" | "per_run";
  readonly used: Counters;
  readonly caps: Caps;
}

function listAccounts(
  { budgets: used, series }: Spending,
  budgets: Budgets,
): readonly [milestone: BudgetAccount, series: BudgetAccount] {
  return [
    { name: "milestone", section: "per_milestone", used, caps: budgets.per_milestone },
    { name: "series", section: "per_run", used: series?.budgets ?? NOTHING_SPENT, caps: budgets.per_run },
  ];
}

function readBalance({ used, caps }: BudgetAccount, counter: Counter): { used: number; cap: number | null } {
  return { used: used[counter], cap: caps[`max_${counter}`] };
}

type Blocked = Extract<BudgetDecision, { kind: "blocked" }>;
/** A named counter needs room even if the amount is unknown. */
type Need = Readonly<Partial<Record<Counter, number>>>;

function reserve(state: Spending, budgets: Budgets, need: Need): BudgetDecision {
  const shortfalls = listAccounts(state, budgets).flatMap((account) => findWorstShortfall(account, need) ?? []);
  return findPlainest(shortfalls) ?? { kind: "ok", warnings: listBudgetWarnings(state, budgets) };
}

function findWorstShortfall(account: BudgetAccount, need: Need): Blocked | null {
  return findPlainest(COUNTERS.flatMap((counter) => findShortfall(account, counter, need[counter]) ?? []));
}

/** A reached cap is the plainer reason, so it comes first. */
function findPlainest(shortfalls: readonly Blocked[]): Blocked | null {
  return shortfalls.find(({ code }) => code === "BLOCKED_BUDGET_CAP") ?? shortfalls[0] ?? null;
}

function findShortfall(account: BudgetAccount, counter: Counter, need: number | undefined): Blocked | null {
  const { used, cap } = readBalance(account, counter);
  if (need === undefined || cap === null) return null;
  const place = `budgets.${account.section}.max_${counter}`;
  const spent = `${counter} of this ${account.name}: ${describeSpent(counter, used, cap)}`;
  const cause = account.name === "series" ? (`${counter}_of_series` as const) : counter;
  const blocked = { kind: "blocked", cause } as const;
  if (used >= cap) return { ...blocked, code: "BLOCKED_BUDGET_CAP", message: `${spent}; the cap ${place} is reached.` };
  return used + need > cap
    ? {
        ...blocked,
        code: "BLOCKED_BUDGET_EXHAUSTED",
        message: `${spent}, and ${need} may be needed (${place}).`,
      }
    : null;
}
