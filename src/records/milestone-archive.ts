import * as v from "valibot";
import { MilestoneId } from "../base/identifier.ts";
import { Count } from "../base/quantity.ts";
import { Counters } from "./state.ts";

/** The cost of a milestone that a series has left. */
export const MilestoneArchive = v.strictObject({
  version: v.literal(1),
  milestone_id: MilestoneId,
  /** A milestone that comes back starts with new counters; this file adds them up. */
  times_left: Count,
  budgets: Counters,
  patch_attempts: Count,
});
export type MilestoneArchive = v.InferOutput<typeof MilestoneArchive>;
