import { CODES } from "../../base/codes.ts";
import type { Outcome } from "../../tick/pure/tick-state.ts";

const CUT_SHORT: readonly (string | null)[] = ["crash", "abandoned", "sighup", "sigint", "sigterm"];

export const wasInterrupted = ({ code, cause }: Pick<Outcome, "code" | "cause">): boolean =>
  code === "STOP_INTERRUPTED" && CUT_SHORT.includes(cause);

/** It says nothing about the work: a signal, a crash, a rate limit, nobody decided, or something blocks every tick. */
export function isCutShort(outcome: Outcome): boolean {
  const { code } = outcome;
  return (
    code === "STOP_RATE_LIMITED" ||
    code === "STOP_UNDECIDED" ||
    CODES[code].verdict === "blocked" ||
    wasInterrupted(outcome)
  );
}
