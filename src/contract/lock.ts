import * as v from "valibot";
import { RunId, Timestamp } from "./identifier.ts";
import { Positive } from "./quantity.ts";

const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(400));

/** Who holds the lock, with enough to tell that very process from a later one that was given the same pid. */
export const Lock = v.strictObject({
  run_id: RunId,
  pid: Positive,
  /** As the operating system tells it, compared as text only. */
  process_start: Name,
  started_at: Timestamp,
  boot_id: Name,
  host: Name,
  /** Null where the system has no such thing. Pids of another namespace say nothing here. */
  pid_namespace: v.nullable(Name),
});
export type Lock = v.InferOutput<typeof Lock>;
