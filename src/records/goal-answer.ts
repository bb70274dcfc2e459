import type { GoalLedger } from "./goal.ts";

/** The answer of `relais goal`. */
export interface GoalFacts {
  readonly ledger: GoalLedger;
  readonly ledgerPath: string;
  /** Null while a process runs, or if the last one was killed. */
  readonly lastEnd: { readonly message: string; readonly hint: string | null } | null;
  readonly branch: string | null;
  /** The checkpoints, oldest first. */
  readonly commits: readonly string[];
}
