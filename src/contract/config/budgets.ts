import * as v from "valibot";
import { Count, DollarCap } from "../quantity.ts";

interface Caps {
  readonly ticks: number;
  readonly orchestrator: number;
  readonly builder: number;
  readonly verify: number;
  readonly reviewer: number;
}

const caps = (defaults: Caps) =>
  v.strictObject({
    max_ticks: v.exactOptional(Count, defaults.ticks),
    max_orchestrator_calls: v.exactOptional(Count, defaults.orchestrator),
    max_builder_calls: v.exactOptional(Count, defaults.builder),
    max_verify_runs: v.exactOptional(Count, defaults.verify),
    max_reviewer_calls: v.exactOptional(Count, defaults.reviewer),
    /** Compared with what the agents' programs report, if they report anything. */
    max_estimated_cost_usd: DollarCap,
  });

const PerMilestone = caps({ ticks: 200, orchestrator: 260, builder: 200, verify: 600, reviewer: 600 });

/** The caps of a whole series. They are never reset, whatever milestones it passes through. */
const PerRun = caps({ ticks: 500, orchestrator: 650, builder: 500, verify: 1500, reviewer: 1500 });

export const Budgets = v.strictObject({
  per_milestone: v.exactOptional(PerMilestone, {}),
  per_run: v.exactOptional(PerRun, {}),
  warn_at_fraction: v.exactOptional(v.pipe(v.number(), v.gtValue(0), v.maxValue(1)), 0.8),
});
