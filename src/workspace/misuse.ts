import { type Refusal, refuse } from "../records/command-failure.ts";

/** The options or the files of the caller cannot be used. */
export interface Misuse {
  readonly kind: "misused";
  readonly message: string;
  readonly problems: readonly string[];
  /** Absent where the usage of the command helps. */
  readonly remedy?: string;
}

export function reportMisuse(message: string, problems: readonly string[] = []): Misuse {
  return { kind: "misused", message, problems };
}

/** For a decision about a tick that is not the one in question any more. */
export function refuseOther(runId: string, message: string): Refusal {
  return refuse({ cause: "other_run", runId, message, next: "Look again; nothing was changed." });
}
