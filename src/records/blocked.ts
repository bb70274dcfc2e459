import * as v from "valibot";
import { BlockedCode } from "../base/any-code.ts";
import { RunId, Timestamp } from "../base/identifier.ts";

export const Blocked = v.strictObject({
  code: BlockedCode,
  cause: v.nullable(v.string()),
  message: v.pipe(v.string(), v.minLength(1)),
  remedy: v.pipe(v.string(), v.minLength(1)),
  run_id: v.nullable(RunId),
  at: Timestamp,
});
export type Blocked = v.InferOutput<typeof Blocked>;
