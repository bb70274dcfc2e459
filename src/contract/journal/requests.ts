/** What a person asks of a running relais from another terminal: small files in the state directory. */
import * as v from "valibot";
import { Lock } from "./lock.ts";

/** For exactly one holder of the locks: a later process must not obey it. */
export const PauseRequest = v.pick(Lock, ["pid", "process_start", "boot_id", "started_at"]);
export type PauseRequest = v.InferOutput<typeof PauseRequest>;
