/** What came of a decision of a person about the last tick. */
import type { LastSeries } from "../journal/series.ts";

/** `relais accept`: the change is committed. */
export interface AcceptedChange {
  readonly kind: "committed";
  readonly runId: string;
  readonly commit: string;
  readonly branch: string;
  /** Whether the branch was made for this commit, because the one before is protected. */
  readonly isNewBranch: boolean;
  readonly files: number;
  readonly notes: readonly string[];
  /** What could not be published. */
  readonly problems: readonly string[];
}

/** `relais undo`: the change is taken back. */
export interface UndoneChange {
  readonly kind: "undone";
  readonly runId: string;
  /** The commit that is gone from its branch; null where nothing was committed. */
  readonly commit: string | null;
  readonly branch: string | null;
  /** The branch that the tick began on, where relais had made another one for the commit and HEAD is still there. */
  readonly beganOn: string | null;
  readonly paths: readonly string[];
  /** Ignored files and the like that were taken back too, and those that were not. */
  readonly besides: readonly string[];
  readonly notBack: readonly string[];
  /** What could not be published. */
  readonly problems: readonly string[];
}

/** `relais salvage apply`: the work lies in the working tree again. */
export interface AppliedWork {
  readonly kind: "applied";
  readonly runId: string;
  readonly paths: readonly string[];
  /** How many paths could not or must not be kept. */
  readonly leftOut: number;
}

/** `relais answer`: the next plan is told. */
export interface AnsweredQuestion {
  readonly kind: "answered";
  readonly runId: string;
  readonly question: string;
  /** Null where the question was dropped. */
  readonly answer: string | null;
  /** Which of the choices it is, from 1; null for words of their own. */
  readonly choice: number | null;
  /** The series that asked, where it can be gone on with. */
  readonly series: readonly LastSeries[];
  /** Null where HEAD names none. */
  readonly branch: string | null;
  /** What could not be published. */
  readonly problems: readonly string[];
}
