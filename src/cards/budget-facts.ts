/** The budgets of a milestone as bars, for `relais status`. */
import type { BudgetUse } from "../records/status.ts";
import { drawBar, type Fact, WARNING } from "../base/canvas.ts";
import { neutralise } from "../base/neutralise.ts";
import { COUNTERS } from "./budget-rows.ts";
import { formatDollars } from "../base/dollars.ts";

/** The spent budget of the milestone, as a share of each cap. */
export function listBudgetFacts(spent: BudgetUse | null): readonly Fact[] {
  if (spent === null) return [];
  const { used, caps, warnAtFraction, milestoneId, warnings = [] } = spent;
  const cap = caps.max_estimated_cost_usd;
  const reported = used.estimated_cost_usd;
  const limit = cap === null ? "" : ` of ${formatDollars(cap)}`;
  return [
    ["milestone", milestoneId === null ? "none yet" : neutralise(milestoneId)],
    ...COUNTERS.map(([name, counter, maximum]): Fact => {
      const [count, most] = [used[counter], caps[maximum]];
      const fraction = most === 0 ? 1 : count / most;
      const tone = fraction >= 1 ? "bad" : fraction >= warnAtFraction ? "strong" : "good";
      return ["budget", { mark: drawBar(count, most), tone, text: `${count} of ${most} ${name}` }];
    }),
    ["cost", reported === 0 && cap === null ? null : `${formatDollars(reported)}${limit} reported`],
    ...warnings.map((text): Fact => ["near a cap", { ...WARNING, text }]),
  ];
}
