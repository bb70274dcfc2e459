import type { BlastRadius } from "./judgement.ts";
import type { Report } from "./report.ts";
import type { Code } from "../base/codes.ts";

/** A change that waits for a person: judged and checked, and not settled yet. */
export interface HeldChange {
  readonly runId: string;
  readonly intent: string | null;
  /** The builder's own words. */
  readonly summary: string | null;
  /** `SUCCESS`, or a failed check in a workflow that keeps its attempts. */
  readonly code: Code;
  readonly change: BlastRadius;
  readonly paths: readonly string[];
  readonly pathsTotal: number;
  readonly runs: Report["verification"]["runs"];
  readonly approvals: number;
  readonly isCommitted: boolean;
  readonly until: string;
  readonly root: string;
  /** The whole change as a patch. */
  readonly readPatch: () => Promise<string>;
}

export type PersonDecision =
  | { readonly decision: "accept" }
  | { readonly decision: "reject"; readonly message: string | null }
  /** The person changed the files in the working tree. */
  | { readonly decision: "edit" };

/** Shows the change to the person at the terminal. It may never answer, because another terminal can. */
export type AskPerson = (held: HeldChange, signal: AbortSignal) => Promise<PersonDecision>;
