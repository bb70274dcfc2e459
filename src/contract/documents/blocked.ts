import * as v from "valibot";
import { BlockedCode } from "../values/any-code.ts";
import { RunId, Timestamp } from "../values/identifier.ts";

/** BLOCKED.json: why no tick could start, and what a person has to do first. */
export const Blocked = v.strictObject({
  code: BlockedCode,
  cause: v.nullable(v.string()),
  message: v.pipe(v.string(), v.minLength(1)),
  remedy: v.pipe(v.string(), v.minLength(1)),
  run_id: v.nullable(RunId),
  at: Timestamp,
});
export type Blocked = v.InferOutput<typeof Blocked>;
