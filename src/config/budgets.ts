import * as v from "valibot";
import { Count, DollarCap } from "../base/quantity.ts";
import { key } from "./key.ts";

interface Caps {
  readonly ticks: number;
  readonly orchestrator: number;
  readonly builder: number;
  readonly verify: number;
  readonly reviewer: number;
}

const caps = (defaults: Caps) =>
  v.strictObject({
    max_ticks: key(Count, "Most ticks.", defaults.ticks),
    max_orchestrator_calls: key(Count, "Most orchestrator sessions.", defaults.orchestrator),
    max_builder_calls: key(Count, "Most builder sessions; a patch counts as one.", defaults.builder),
    max_verify_runs: key(Count, "Most check runs.", defaults.verify),
    max_reviewer_calls: key(Count, "Most reviewer and verifier sessions.", defaults.reviewer),
    max_estimated_cost_usd: key(DollarCap, "Most dollars, if the agents report their cost; null is no cap.", null),
  });

/** Enough for a campaign of 100 iterations, each with its fixes and verifications, below the mark of the warning. */
const PerMilestone = caps({ ticks: 1000, orchestrator: 650, builder: 600, verify: 6000, reviewer: 2000 });

/** The caps of a whole series. They are never reset. */
const PerRun = caps({ ticks: 2500, orchestrator: 1625, builder: 1500, verify: 15_000, reviewer: 5000 });

export const Budgets = v.strictObject({
  per_milestone: v.exactOptional(PerMilestone, {}),
  per_run: v.exactOptional(PerRun, {}),
  warn_at_fraction: key(v.pipe(v.number(), v.gtValue(0), v.maxValue(1)), "Warn from this fraction of a cap on.", 0.8),
});
