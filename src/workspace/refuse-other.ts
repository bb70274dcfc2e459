import { type Refusal, refuse } from "../records/command-failure.ts";

/** For a decision about a tick that is not the one in question any more. */
export function refuseOther(runId: string, message: string): Refusal {
  return refuse({ cause: "other_run", runId, message, next: "Look again; nothing was changed." });
}
