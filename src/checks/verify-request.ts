import type { Change } from "../records/evidence.ts";
import type { VerificationRun } from "../records/report.ts";
import type { Check } from "./pure/verification-plan.ts";
import type { Candidate } from "../place/workplace.ts";
import type { CheckContext } from "./run-check.ts";

export interface VerifyRequest {
  readonly context: CheckContext;
  readonly checks: readonly Check[];
  readonly candidate: Candidate;
  /** Whether the tick continues after a failed check, so that the files of the checks must be known. */
  readonly outlivesRed: boolean;
  /** What the checks must not take from the builder. */
  readonly pinned: { readonly oracle: readonly Change[]; readonly ignored: readonly Change[] };
  readonly heldOut: {
    readonly checks: readonly Check[];
    /** What the builder wrote where git ignores it. */
    readonly ignored: readonly Change[];
  };
  /** The runs before the build; null where there are none. */
  readonly base: readonly VerificationRun[] | null;
  /** Whether a check may fail that failed before. */
  readonly inherits: boolean;
  /** Whether a person wants other tests, so that fewer of them are no surprise. */
  readonly wantsOtherTests: boolean;
}
