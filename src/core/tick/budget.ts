/**
 * What may still be spent.
 *
 * Everything is counted twice, for the milestone and for the series, and the narrower cap decides. A tick starts only
 * where the most it could cost is left over, because a tick that runs out of budget half-way has cost something and
 * brought nothing. Checks are reserved later, when the task says how many there are. Money is never foreseen: it is
 * what the agents' programs reported, so its cap can only be noticed once it is reached.
 */
import type { Config } from "../../contract/config/config.ts";
import type { WorkspaceState } from "../../contract/documents/state.ts";

type Budgets = Config["budgets"];
type Caps = Budgets["per_milestone"];
type Counters = WorkspaceState["budgets"];
type Counter = keyof Counters;
/** The part of the state that says what was spent. Its series is the one of this tick; null has spent nothing yet. */
type Spending = Pick<WorkspaceState, "budgets" | "series">;

const CAP_OF = {
  ticks: "max_ticks",
  orchestrator_calls: "max_orchestrator_calls",
  builder_calls: "max_builder_calls",
  verify_runs: "max_verify_runs",
  reviewer_calls: "max_reviewer_calls",
  estimated_cost_usd: "max_estimated_cost_usd",
} as const satisfies Record<Counter, keyof Caps>;

const COUNTERS = [
  "ticks",
  "orchestrator_calls",
  "builder_calls",
  "verify_runs",
  "reviewer_calls",
  "estimated_cost_usd",
] as const satisfies readonly Counter[];

/** What an account has none of before anything is spent. */
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
      /** The counter that decided, as the state and the configuration name it. */
      readonly cause: Counter;
      readonly message: string;
    };

interface WorstTick {
  readonly usesOrchestrator: boolean;
  readonly maxParseRetries: number;
  /** False where it is known that nobody builds. */
  readonly usesBuilder: boolean;
  readonly usesReviewers: boolean;
}

/** Whether a whole tick can be paid for, checks excepted. */
export function preflightBudget(state: Spending, budgets: Budgets, tick: WorstTick): BudgetDecision {
  return reserve(state, budgets, {
    ticks: 1,
    ...(tick.usesOrchestrator ? { orchestrator_calls: 1 + tick.maxParseRetries } : {}),
    ...(tick.usesBuilder ? { builder_calls: 1 } : {}),
    // Whoever is called spends some money, and nobody can say how much.
    ...(callsAnybody(tick) ? { estimated_cost_usd: 0 } : {}),
  });
}

const callsAnybody = ({ usesOrchestrator, usesBuilder, usesReviewers }: WorstTick): boolean =>
  usesOrchestrator || usesBuilder || usesReviewers;

/** Whether what comes after the builder can be paid. A budget that cannot pay all of it has reached its cap. */
export function reserveWork(
  state: Spending,
  budgets: Budgets,
  { verify_runs, reviewer_calls }: Pick<Counters, "verify_runs" | "reviewer_calls">,
): BudgetDecision {
  const decision = reserve(state, budgets, {
    ...(verify_runs > 0 ? { verify_runs } : {}),
    ...(reviewer_calls > 0 ? { reviewer_calls } : {}),
  });
  return decision.kind === "ok" ? decision : { ...decision, code: "BLOCKED_BUDGET_CAP" };
}

/** One sentence for each counter that has come near its cap, the milestone's first. */
export function budgetWarnings(state: Spending, budgets: Budgets): readonly string[] {
  return accounts(state, budgets).flatMap((account) =>
    COUNTERS.flatMap((counter) => {
      const { used, cap } = balance(account, counter);
      const isNear = cap !== null && cap > 0 && used / cap >= budgets.warn_at_fraction;
      return isNear ? [`${counter} of this ${account.name}: ${used} of ${cap} used.`] : [];
    }),
  );
}

/** What is left of each counter that has a cap, the milestone's first. */
export function remainingLines(state: Spending, budgets: Budgets): readonly string[] {
  return accounts(state, budgets).flatMap((account) =>
    COUNTERS.flatMap((counter) => {
      const { used, cap } = balance(account, counter);
      const left = cap === null ? 0 : Math.max(0, cap - used);
      return cap === null ? [] : [`${counter} left of this ${account.name}: ${left} of ${cap}`];
    }),
  );
}

interface Account {
  readonly name: "milestone" | "series";
  readonly section: "per_milestone" | "per_run";
  readonly used: Counters;
  readonly caps: Caps;
}

function accounts({ budgets: used, series }: Spending, budgets: Budgets): readonly Account[] {
  return [
    { name: "milestone", section: "per_milestone", used, caps: budgets.per_milestone },
    {
      name: "series",
      section: "per_run",
      used: series?.budgets ?? NOTHING_SPENT,
      caps: budgets.per_run,
    },
  ];
}

function balance({ used, caps }: Account, counter: Counter): { used: number; cap: number | null } {
  return { used: used[counter], cap: caps[CAP_OF[counter]] };
}

type Blocked = Extract<BudgetDecision, { kind: "blocked" }>;
/** What will be spent, by counter. A counter that is named needs room even where the amount is not known. */
type Need = Readonly<Partial<Record<Counter, number>>>;

function reserve(state: Spending, budgets: Budgets, need: Need): BudgetDecision {
  const shortfalls = accounts(state, budgets).flatMap((account) =>
    COUNTERS.flatMap((counter) => shortfall(account, counter, need[counter]) ?? []),
  );
  // A cap that is reached is the plainer reason, so it is told first.
  const worst = shortfalls.find(({ code }) => code === "BLOCKED_BUDGET_CAP") ?? shortfalls[0];
  return worst ?? { kind: "ok", warnings: budgetWarnings(state, budgets) };
}

function shortfall(account: Account, counter: Counter, need: number | undefined): Blocked | null {
  const { used, cap } = balance(account, counter);
  if (need === undefined || cap === null) return null;
  const place = `budgets.${account.section}.${CAP_OF[counter]}`;
  const spent = `${counter} of this ${account.name}: ${used} of ${cap} used`;
  const blocked = { kind: "blocked", cause: counter } as const;
  if (used >= cap)
    return { ...blocked, code: "BLOCKED_BUDGET_CAP", message: `${spent}; the cap ${place} is reached.` };
  return used + need > cap
    ? {
        ...blocked,
        code: "BLOCKED_BUDGET_EXHAUSTED",
        message: `${spent}, and ${need} may be needed (${place}).`,
      }
    : null;
}
