import * as v from "valibot";
import { RunId, Sha256, Timestamp } from "../values/identifier.ts";
import { Positive } from "../values/quantity.ts";

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
  /**
   * Where the journal ended when a tick set about changing something: the number of its lines and the hash of the last.
   * It outlives the process that wrote it, so a journal that lost lines is told from one that never had them.
   */
  journal: v.exactOptional(v.strictObject({ seq: Positive, sha256: Sha256 })),
});
export type Lock = v.InferOutput<typeof Lock>;
