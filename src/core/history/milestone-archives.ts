import { formatDollarSum } from "../words/dollars.ts";
import type { MilestoneArchive } from "../../contract/documents/milestone-archive.ts";
import { CALL_COUNTERS, NOTHING_SPENT } from "../tick/budget.ts";
import type { Milestone } from "./tick-account.ts";

/** All milestones that were left, the last one at the end. */
export function listMilestoneArchives(left: readonly Milestone[]): readonly MilestoneArchive[] {
  const archives = new Map<string, MilestoneArchive>();
  for (const { milestoneId, budgets, patchAttempts } of left) {
    if (milestoneId === null) continue;
    const earlier = archives.get(milestoneId);
    archives.delete(milestoneId); // So that the one that was left last stands last.
    archives.set(milestoneId, {
      version: 1,
      milestone_id: milestoneId,
      times_left: (earlier?.times_left ?? 0) + 1,
      budgets: addCounters(earlier?.budgets ?? NOTHING_SPENT, budgets),
      patch_attempts: (earlier?.patch_attempts ?? 0) + patchAttempts,
    });
  }
  return [...archives.values()];
}

type Counters = MilestoneArchive["budgets"];

function addCounters(one: Counters, other: Counters): Counters {
  const sum = { ...one, estimated_cost_usd: formatDollarSum(one.estimated_cost_usd, other.estimated_cost_usd) };
  for (const counter of CALL_COUNTERS) sum[counter] += other[counter];
  return sum;
}
