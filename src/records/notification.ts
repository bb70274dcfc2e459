import * as v from "valibot";
import { WorkflowName } from "./agent.ts";
import { AnyCode, AnyVerdict } from "../base/any-code.ts";
import { SeriesEndRecord } from "./series.ts";
import { RunId, SeriesId, Timestamp } from "../base/identifier.ts";
import { Count } from "../base/quantity.ts";

const Text = v.pipe(v.string(), v.maxLength(4000));

export const Notification = v.strictObject({
  version: v.literal(1),
  kind: v.picklist(["tick_ended", "question", "series_ended"]),
  at: Timestamp,
  repository: v.string(),
  workflow: WorkflowName,
  series_id: SeriesId,
  run_id: v.nullable(RunId),
  verdict: v.nullable(AnyVerdict),
  code: v.nullable(AnyCode),
  cause: v.nullable(v.string()),
  end: v.nullable(SeriesEndRecord),
  /** One line without control characters. */
  summary: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
  message: v.nullable(Text),
  question: v.nullable(v.strictObject({ prompt: v.string(), choices: v.array(v.string()) })),
  exit_status: Count,
});
export type Notification = v.InferOutput<typeof Notification>;
