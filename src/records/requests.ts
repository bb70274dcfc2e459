/** What a person asks of a running relais from another terminal: small files in the state directory. */
import * as v from "valibot";
import { RunId } from "../base/identifier.ts";
import { Lock } from "./lock.ts";

/** For exactly one holder of the locks: a later process must not obey it. */
export const PauseRequest = v.pick(Lock, ["pid", "process_start", "boot_id", "started_at"]);
export type PauseRequest = v.InferOutput<typeof PauseRequest>;

/** For exactly one question of one tick. */
export const DecisionRequest = v.strictObject({
  run_id: RunId,
  question: v.pipe(v.string(), v.maxLength(400)),
  decision: v.picklist(["accept", "reject"]),
  /** The reason of a rejection. */
  message: v.nullable(v.pipe(v.string(), v.maxLength(4000))),
});
