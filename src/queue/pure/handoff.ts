/** What `handoff.command` gets on its standard input. */
import * as v from "valibot";
import { AnyCode } from "../../base/any-code.ts";
import { CommitId, Timestamp } from "../../base/identifier.ts";

export const Handoff = v.strictObject({
  version: v.literal(1),
  kind: v.picklist(["job_ended", "goal_ended"]),
  at: Timestamp,
  /** The id of the job or of the goal. */
  id: v.string(),
  /** The path or the URL of the repository that the work is meant for. */
  repository: v.string(),
  /** One line about what was asked for. */
  title: v.string(),
  outcome: v.picklist(["done", "failed", "cancelled"]),
  code: v.nullable(AnyCode),
  summary: v.string(),
  /** The commit that the work started from, and the branch that it is meant for. */
  base: v.strictObject({ commit: v.nullable(CommitId), branch: v.nullable(v.string()) }),
  /** Null where nothing was committed. */
  branch: v.nullable(v.string()),
  commit: v.nullable(CommitId),
});
export type Handoff = v.InferOutput<typeof Handoff>;
