import type { Status } from "../records/status-answers.ts";
import type { Config } from "../config/config.ts";
import type { WorkspaceState } from "../records/state.ts";
import { listBudgetWarnings } from "../tick/pure/budget.ts";

export function describeBudgets(state: WorkspaceState, { budgets }: Config): NonNullable<Status["budgets"]> {
  return {
    milestoneId: state.milestone_id,
    used: state.budgets,
    caps: budgets.per_milestone,
    warnAtFraction: budgets.warn_at_fraction,
    warnings: listBudgetWarnings(state, budgets),
  };
}
