import { type Environment, JOB_VARIABLE } from "../base/environment.ts";
import { findOwnMarker } from "../system/child-environment.ts";
import { reapMarked } from "../process/reap-session.ts";

/** Kills everything that this process started for its job: the lease is over, and a successor may begin. */
export async function killSession(environment: Environment): Promise<void> {
  const marker = findOwnMarker(environment);
  if (environment[JOB_VARIABLE] !== undefined && marker !== null) await reapMarked(marker);
}
