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

import { formatDollars } from "../words/dollars.ts";

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

/** What relais counts itself; only the cost is reported by others. */
export const CALL_COUNTERS = [
  "ticks",
  "orchestrator_calls",
  "builder_calls",
  "verify_runs",
  "reviewer_calls",
] as const satisfies readonly Counter[];
const COUNTERS = [...CALL_COUNTERS, "estimated_cost_usd"] as const satisfies readonly Counter[];

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
  /** How many others may be asked in the place of each. */
  readonly fallbacks?: { readonly orchestrator: number; readonly builder: number };
}

/**
 * Whether a whole tick can be paid for, checks excepted.
 *
 * Whose milestone an orchestrator's task belongs to is known once it is there. Until then it may be a new one, so a
 * milestone that is spent keeps nobody from being asked for the next.
 */
export function checkBudget(state: Spending, budgets: Budgets, tick: WorstTick): BudgetDecision {
  const account = tick.usesOrchestrator ? { ...state, budgets: NOTHING_SPENT } : state;
  const decision = reserve(account, budgets, {
    ticks: 1,
    ...(tick.usesOrchestrator
      ? { orchestrator_calls: 1 + tick.maxParseRetries + (tick.fallbacks?.orchestrator ?? 0) }
      : {}),
    ...(tick.usesBuilder ? { builder_calls: 1 + (tick.fallbacks?.builder ?? 0) } : {}),
    // Whoever is called spends some money, and nobody can say how much.
    ...(callsAnybody(tick) ? { estimated_cost_usd: 0 } : {}),
  });
  return decision.kind === "ok" ? { kind: "ok", warnings: listBudgetWarnings(state, budgets) } : decision;
}

/** Whether the milestone of a task that was proposed can pay for it. This tick and its plan are counted already. */
export function reservePlanned(state: Spending, budgets: Budgets): BudgetDecision {
  const [{ used, ...milestone }] = accounts(state, budgets);
  const before = { ...used, ticks: used.ticks - 1, orchestrator_calls: used.orchestrator_calls - 1 };
  const need = { ticks: 1, orchestrator_calls: 0, builder_calls: 1, estimated_cost_usd: 0 };
  return worstOf({ ...milestone, used: before }, need) ?? { kind: "ok", warnings: [] };
}

/** Whether another task of the milestone would be refused, because one of its caps is reached. */
export function isMilestoneSpent(state: Spending, budgets: Budgets): boolean {
  const [milestone] = accounts(state, budgets);
  return worstOf(milestone, { ticks: 0, orchestrator_calls: 0, builder_calls: 0, estimated_cost_usd: 0 }) !== null;
}

const callsAnybody = ({ usesOrchestrator, usesBuilder, usesReviewers }: WorstTick): boolean =>
  usesOrchestrator || usesBuilder || usesReviewers;

/** Whether what comes after the builder can be paid. */
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

/** One sentence for each counter that has come near its cap, the milestone's first. */
export function listBudgetWarnings(state: Spending, budgets: Budgets): readonly string[] {
  return accounts(state, budgets).flatMap((account) =>
    COUNTERS.flatMap((counter) => {
      const { used, cap } = balance(account, counter);
      const isNear = cap !== null && cap > 0 && used / cap >= budgets.warn_at_fraction;
      return isNear ? [`${counter} of this ${account.name}: ${spentWords(counter, used, cap)}.`] : [];
    }),
  );
}

/** What is left of each counter that has a cap, the milestone's first. */
export function describeRemainingBudget(state: Spending, budgets: Budgets): readonly string[] {
  return accounts(state, budgets).flatMap((account) =>
    COUNTERS.flatMap((counter) => {
      const { used, cap } = balance(account, counter);
      const left = cap === null ? 0 : Math.max(0, cap - used);
      if (cap === null) return [];
      const amount = amountWords(counter);
      return [`${counter} left of this ${account.name}: ${amount(left)} of ${amount(cap)}`];
    }),
  );
}

function spentWords(counter: Counter, used: number, cap: number): string {
  const amount = amountWords(counter);
  return `${amount(used)} of ${amount(cap)} used`;
}

/** How an amount of this counter is said to a person. */
const amountWords = (counter: Counter): ((amount: number) => string) =>
  counter === "estimated_cost_usd" ? formatDollars : String;

interface Account {
  readonly name: "milestone" | "series";
  readonly section: "per_milestone" | "per_run";
  readonly used: Counters;
  readonly caps: Caps;
}

function accounts(
  { budgets: used, series }: Spending,
  budgets: Budgets,
): readonly [milestone: Account, series: Account] {
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
  const shortfalls = accounts(state, budgets).flatMap((account) => worstOf(account, need) ?? []);
  return plainest(shortfalls) ?? { kind: "ok", warnings: listBudgetWarnings(state, budgets) };
}

function worstOf(account: Account, need: Need): Blocked | null {
  return plainest(COUNTERS.flatMap((counter) => shortfall(account, counter, need[counter]) ?? []));
}

/** A cap that is reached is the plainer reason, so it is told first. */
function plainest(shortfalls: readonly Blocked[]): Blocked | null {
  return shortfalls.find(({ code }) => code === "BLOCKED_BUDGET_CAP") ?? shortfalls[0] ?? null;
}

function shortfall(account: Account, counter: Counter, need: number | undefined): Blocked | null {
  const { used, cap } = balance(account, counter);
  if (need === undefined || cap === null) return null;
  const place = `budgets.${account.section}.${CAP_OF[counter]}`;
  const spent = `${counter} of this ${account.name}: ${spentWords(counter, used, cap)}`;
  const blocked = { kind: "blocked", cause: counter } as const;
  if (used >= cap) return { ...blocked, code: "BLOCKED_BUDGET_CAP", message: `${spent}; the cap ${place} is reached.` };
  return used + need > cap
    ? {
        ...blocked,
        code: "BLOCKED_BUDGET_EXHAUSTED",
        message: `${spent}, and ${need} may be needed (${place}).`,
      }
    : null;
}
