/** Several attempts at one task, side by side, and the one that was chosen. */
import * as v from "valibot";
import { DriverName, Usage } from "./agent.ts";
import { AnyCode, AnyVerdict } from "../base/any-code.ts";
import { RunId, TaskId, Timestamp } from "../base/identifier.ts";
import { Count, Positive } from "../base/quantity.ts";

export const Attempt = v.strictObject({
  number: Positive,
  agent: DriverName,
  /** The run of its own journal, under which its work waits in salvage; null for a goal, or if it could not start. */
  run_id: v.nullable(RunId),
  /** The branch with the commits of a goal; absent if there is none. */
  branch: v.exactOptional(v.string()),
  verdict: AnyVerdict,
  code: AnyCode,
  checks: v.strictObject({ passed: Count, total: Count }),
  /** Null without reviewers. */
  votes: v.nullable(v.strictObject({ approved: Count, total: Count })),
  files: Count,
  /** Added and deleted. */
  lines: Count,
  duration_ms: Count,
  usage: v.nullable(Usage),
  /** Absent is one. */
  builder_calls: v.exactOptional(Count),
  reviewer_calls: Count,
  /** Of a round: its own task; absent if all attempts have the same one. */
  task_id: v.exactOptional(TaskId),
  /** Of a round: why it failed, and when a service that refused it answers again. */
  message: v.exactOptional(v.pipe(v.string(), v.maxLength(4000))),
  until: v.exactOptional(Timestamp),
  /** Whether its work waits in salvage. */
  salvaged: v.boolean(),
});
export type Attempt = v.InferOutput<typeof Attempt>;

/** What decided between the best and the second best. */
export const AttemptRule = v.picklist(["checks", "votes", "lines", "files", "number"]);
export type AttemptRule = v.InferOutput<typeof AttemptRule>;

export const Attempts = v.strictObject({
  list: v.array(Attempt),
  /** Null if none passed. */
  chosen: v.nullable(Positive),
  rule: v.nullable(AttemptRule),
});
export type Attempts = v.InferOutput<typeof Attempts>;
