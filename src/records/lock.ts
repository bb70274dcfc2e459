import * as v from "valibot";
import { RunId, Sha256, Timestamp } from "../base/identifier.ts";
import { Positive } from "../base/quantity.ts";

const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(400));

/** Enough to tell this process from a later one with the same pid. */
export const Lock = v.strictObject({
  run_id: RunId,
  pid: Positive,
  /** As the operating system reports it, compared as text only. */
  process_start: Name,
  started_at: Timestamp,
  boot_id: Name,
  host: Name,
  /** Null on systems without namespaces. Pids of another namespace mean nothing here. */
  pid_namespace: v.nullable(Name),
  /**
   * The end of the journal when a tick started to change something: the number of lines and the last hash. It outlives
   * its process, so a journal that lost lines is detected.
   */
  journal: v.exactOptional(v.strictObject({ seq: Positive, sha256: Sha256 })),
});
export type Lock = v.InferOutput<typeof Lock>;
