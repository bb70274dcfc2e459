/** What the journal and the history remember of an iteration of the tree. */
import * as v from "valibot";
import { DriverName } from "../agents/agent.ts";
import { CommitId } from "../values/identifier.ts";
import { Count, Positive } from "../values/quantity.ts";

const Guard = v.picklist(["skipped", "pass", "fail"]);

/** The part that decides how the series goes on. */
export const TreeIteration = v.strictObject({
  iter_n: Positive,
  /** Ordinary work; a leaf without attempts left, which has to be taken apart; a proposal that nobody could read. */
  kind: v.picklist(["work", "demand", "repair"]),
  selected_leaf_id: v.string(),
  /** The ids from the root to the leaf. */
  selected_leaf_path: v.array(v.string()),
  classification: v.picklist(["decompose", "execute"]),
  guard: Guard,
  outcome: v.picklist(["passed", "attempt", "planned"]),
  /** What the next session is told about it; null where there is nothing to tell. */
  feedback: v.nullable(v.string()),
  /** Whether the proposed tree could not be read at all. */
  unreadable: v.boolean(),
});
export type TreeIteration = v.InferOutput<typeof TreeIteration>;

/** The part of meta.json that tells of an iteration. */
export const IterationMeta = v.strictObject({
  iter_n: Positive,
  selected_leaf_id: v.string(),
  selected_leaf_path: v.array(v.string()),
  classification: v.picklist(["decompose", "execute"]),
  executor_kind: v.nullable(DriverName),
  /** Null where the session did not end with a status. */
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
