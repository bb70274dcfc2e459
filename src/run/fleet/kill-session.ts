import { type Environment, JOB_VARIABLE } from "../../contract/values/environment.ts";
import { findOwnMarker } from "../../io/machine/environment.ts";
import { reapMarked } from "../../io/process/reap-session.ts";

/** Kills everything that this process started for its job: the lease is over, and a successor may begin. */
export async function killSession(environment: Environment): Promise<void> {
  const marker = findOwnMarker(environment);
  if (environment[JOB_VARIABLE] !== undefined && marker !== null) await reapMarked(marker);
}
