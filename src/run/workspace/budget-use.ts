import type { Status } from "../../contract/answers/status.ts";
import type { Config } from "../../contract/config/config.ts";
import type { WorkspaceState } from "../../contract/documents/state.ts";
import { listBudgetWarnings } from "../../core/tick/budget.ts";

export function describeBudgets(state: WorkspaceState, { budgets }: Config): NonNullable<Status["budgets"]> {
  return {
    milestoneId: state.milestone_id,
    used: state.budgets,
    caps: budgets.per_milestone,
    warnAtFraction: budgets.warn_at_fraction,
    warnings: listBudgetWarnings(state, budgets),
  };
}
