import * as v from "valibot";
import { MilestoneId } from "../values/identifier.ts";
import { Count } from "../values/quantity.ts";
import { Counters } from "./state.ts";

/** What a milestone has cost that a series has left behind. */
export const MilestoneArchive = v.strictObject({
  version: v.literal(1),
  milestone_id: MilestoneId,
  /** How often it was left; one that comes back begins with fresh counters, and all of them are added up here. */
  times_left: Count,
  budgets: Counters,
  patch_attempts: Count,
});
export type MilestoneArchive = v.InferOutput<typeof MilestoneArchive>;
