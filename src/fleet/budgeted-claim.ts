/** A claim whose spending is counted on the budget of the team, once. */
import type { Claim } from "../queue/pure/engine.ts";
import type { Amount, BudgetAnswer, BudgetedJob, TeamBudget } from "../queue/pure/team-budget.ts";

export interface BudgetedClaim {
  readonly claim: Claim;
  /** Aborted when the team has spent more than it may. */
  readonly over: AbortSignal;
  /** Why; null while there is something left. */
  readonly readOver: () => Extract<BudgetAnswer, { kind: "over" }> | null;
}

const NEVER = new AbortController().signal;

/** Without a budget, the claim as it is. */
export async function reserveForClaim(claim: Claim, budget: TeamBudget | undefined): Promise<BudgetedClaim> {
  if (budget === undefined) return { claim, over: NEVER, readOver: () => null };
  const { job, spec } = claim;
  const repository = spec.repository.kind === "url" ? spec.repository.url : spec.repository.path;
  const over = new AbortController();
  let answer: Extract<BudgetAnswer, { kind: "over" }> | null = null;
  let total: Amount = { dollars: claim.spent.dollars, tokens: claim.spent.tokens ?? 0 };
  const now = (): BudgetedJob => ({ job, repository, total });
  const hear = (heard: BudgetAnswer): void => {
    if (heard.kind === "within") return;
    answer = heard;
    over.abort();
  };
  hear(await budget.reserve(now()));
  const settled = async <T>(recorded: T): Promise<T> => {
    if (recorded !== "fenced") await budget.settle(now());
    return recorded;
  };
  return {
    over: over.signal,
    readOver: () => answer,
    claim: {
      ...claim,
      spend: async (spent) => {
        const recorded = await claim.spend(spent);
        if (recorded === "fenced") return recorded;
        const { dollars, tokens = 0 } = spent;
        total = { dollars: total.dollars + dollars, tokens: total.tokens + tokens };
        if (dollars > 0 || tokens > 0) hear(await budget.count(now()));
        return recorded;
      },
      finish: async (result) => settled(await claim.finish(result)),
      release: async (why, notBefore) => {
        await claim.release(why, notBefore);
        await budget.settle(now());
      },
    },
  };
}
