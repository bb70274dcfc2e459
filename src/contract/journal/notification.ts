import * as v from "valibot";
import { WorkflowName } from "../agents/agent.ts";
import { AnyCode, AnyVerdict } from "../values/any-code.ts";
import { SeriesEndRecord } from "./series.ts";
import { RunId, SeriesId, Timestamp } from "../values/identifier.ts";
import { Count } from "../values/quantity.ts";

const Text = v.pipe(v.string(), v.maxLength(4000));

/** What `notify.command` reads on its input. */
export const Notification = v.strictObject({
  version: v.literal(1),
  /** A tick has its verdict, a tick asks something, or a series is over. */
  kind: v.picklist(["tick_ended", "question", "series_ended"]),
  at: Timestamp,
  /** The root of the worktree. */
  repository: v.string(),
  workflow: WorkflowName,
  series_id: SeriesId,
  /** Null where it is about a whole series. */
  run_id: v.nullable(RunId),
  verdict: v.nullable(AnyVerdict),
  code: v.nullable(AnyCode),
  cause: v.nullable(v.string()),
  /** How the series ended; null where it is about a tick. */
  end: v.nullable(SeriesEndRecord),
  /** One line without control characters that says it all. */
  summary: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
  message: v.nullable(Text),
  question: v.nullable(v.strictObject({ prompt: v.string(), choices: v.array(v.string()) })),
  exit_status: Count,
});
export type Notification = v.InferOutput<typeof Notification>;
