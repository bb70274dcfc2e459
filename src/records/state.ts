import * as v from "valibot";
import { AnyCode, AnyVerdict } from "../base/any-code.ts";
import { MilestoneId, RunId, SeriesId, Timestamp } from "../base/identifier.ts";
import { Count, Dollars } from "../base/quantity.ts";

export const Counters = v.strictObject({
  ticks: Count,
  orchestrator_calls: Count,
  builder_calls: Count,
  verify_runs: Count,
  reviewer_calls: Count,
  estimated_cost_usd: Dollars,
});

/** STATE.json: a projection of the journal, which wins on any difference. */
export const WorkspaceState = v.strictObject({
  version: v.literal(1),
  milestone_id: v.nullable(MilestoneId),
  budgets: Counters,
  patch_attempts: Count,
  budget_warning: v.boolean(),
  last_run_id: v.nullable(RunId),
  last_verdict: v.nullable(AnyVerdict),
  last_code: v.nullable(AnyCode),
  /** The running or last series; its counters are never reset. */
  series: v.nullable(v.strictObject({ series_id: SeriesId, budgets: Counters, empty_ticks: Count })),
  open_question: v.nullable(
    v.strictObject({
      run_id: RunId,
      asked_at: Timestamp,
      prompt: v.string(),
      choices: v.array(v.string()),
      answer: v.nullable(v.string()),
      /** A builder asks about a person's own task: the sentence, or null if it was none. Absent for every other question. */
      again: v.exactOptional(v.nullable(v.string())),
    }),
  ),
});
export type WorkspaceState = v.InferOutput<typeof WorkspaceState>;
