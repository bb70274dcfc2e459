import * as v from "valibot";
import { DriverName } from "./agent.ts";
import { CommitId } from "../base/identifier.ts";
import { Count, Positive } from "../base/quantity.ts";

const Guard = v.picklist(["skipped", "pass", "fail"]);

export const TreeIteration = v.strictObject({
  iter_n: Positive,
  /** Ordinary work; a leaf without attempts left, which must be split; an unreadable proposal. */
  kind: v.picklist(["work", "demand", "repair"]),
  selected_leaf_id: v.string(),
  selected_leaf_path: v.array(v.string()),
  classification: v.picklist(["decompose", "execute"]),
  guard: Guard,
  outcome: v.picklist(["passed", "attempt", "planned"]),
  /** Feedback for the next session. */
  feedback: v.nullable(v.string()),
  unreadable: v.boolean(),
});
export type TreeIteration = v.InferOutput<typeof TreeIteration>;

export const IterationMeta = v.strictObject({
  iter_n: Positive,
  selected_leaf_id: v.string(),
  selected_leaf_path: v.array(v.string()),
  classification: v.picklist(["decompose", "execute"]),
  executor_kind: v.nullable(DriverName),
  /** Null if the session had no exit status. */
  exit_status: v.nullable(v.number()),
  duration_ms: v.nullable(Count),
  guard: v.strictObject({
    result: Guard,
    exit_status: v.nullable(v.number()),
    duration_ms: v.nullable(Count),
  }),
  commit_sha: v.nullable(CommitId),
});
export type IterationMeta = v.InferOutput<typeof IterationMeta>;
