/** The budgets of a milestone as bars, for `relais status`. */
import type { BudgetUse } from "../../contract/answers/status.ts";
import { type Canvas, renderLabelled, renderMarked } from "../text/canvas.ts";
import { neutralise } from "../text/neutralise.ts";
import { formatDollars } from "../../core/words/dollars.ts";

const COUNTERS = [
  ["ticks", "ticks", "max_ticks"],
  ["orchestrator", "orchestrator_calls", "max_orchestrator_calls"],
  ["builder", "builder_calls", "max_builder_calls"],
  ["checks", "verify_runs", "max_verify_runs"],
  ["reviewers", "reviewer_calls", "max_reviewer_calls"],
] as const;

/** The spent budget of the milestone, as a share of each cap. */
export function renderBudgets(spent: BudgetUse | null, canvas: Canvas): readonly string[] {
  if (spent === null) return [];
  const { used, caps, warnAtFraction, milestoneId, warnings = [] } = spent;
  const cap = caps.max_estimated_cost_usd;
  const reported = used.estimated_cost_usd;
  const limit = cap === null ? "" : ` of ${formatDollars(cap)}`;
  return [
    ...renderLabelled("milestone", milestoneId === null ? "none yet" : neutralise(milestoneId), canvas),
    ...COUNTERS.flatMap(([name, counter, maximum]) =>
      budgetLine({ name, used: used[counter], cap: caps[maximum], warnAtFraction }, canvas),
    ),
    ...(reported === 0 && cap === null
      ? []
      : renderLabelled("cost", `${formatDollars(reported)}${limit} reported`, canvas)),
    ...warnings.flatMap((text, index) =>
      renderMarked(index === 0 ? "near a cap" : "", { mark: "!", tone: "strong", text }, canvas),
    ),
  ];
}

interface Counter {
  readonly name: string;
  readonly used: number;
  readonly cap: number;
  readonly warnAtFraction: number;
}

const BAR_WIDTH = 10;

function budgetLine({ name, used, cap, warnAtFraction }: Counter, canvas: Canvas): readonly string[] {
  const fraction = cap === 0 ? 1 : Math.min(1, used / cap);
  // Anything spent shows, and only what is used up looks full.
  const filled = fraction === 1 ? BAR_WIDTH : Math.min(BAR_WIDTH - 1, Math.ceil(fraction * BAR_WIDTH));
  const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
  const tone = fraction === 1 ? "bad" : fraction >= warnAtFraction ? "strong" : "good";
  const label = name === COUNTERS[0][0] ? "budget" : "";
  return renderMarked(label, { mark: bar, tone, text: `${used} of ${cap} ${name}` }, canvas);
}
