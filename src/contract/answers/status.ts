/** What `relais status` answers. The ages are measured where the clock is. */
import type { Config } from "../config/config.ts";
import type { Report } from "../documents/report.ts";
import type { WorkspaceState } from "../documents/state.ts";
import type { LastSeries } from "../journal/series.ts";
import type { Code } from "../values/codes.ts";
import type { DamagedLock } from "./recovery.ts";

/** Something that waits for a person, and the command that goes on with it. */
export interface WaitingThing {
  readonly kind: "tick" | "question" | "change" | "goal" | "tree" | "campaign" | "salvage";
  readonly what: string;
  readonly command: string;
}

export interface Status extends StatusTicks, StateTroubles {
  readonly kind: "status";
  readonly repository: string;
  /** Null where HEAD names no branch. */
  readonly branch: string | null;
  readonly config:
    | { readonly kind: "usable" }
    | { readonly kind: "missing" }
    | { readonly kind: "unusable"; readonly message: string; readonly problems: readonly string[] };
  /** Everything that waits for a person, the most urgent first; absent is nothing. */
  readonly waiting?: readonly WaitingThing[];
  readonly question: WorkspaceState["open_question"];
  readonly accepted: WaitingChange | null;
  /** Null where there is no configuration. */
  readonly budgets: BudgetUse | null;
  /** Why nobody can plan, so that a tick needs a task from a person; null where somebody can. */
  readonly planTrouble: string | null;
  /** What would happen if a tick began now; null where nobody asked. */
  readonly preflight: Preflight | null;
}

/** What the journal says of single ticks. */
export interface StatusTicks {
  /** The relais that works here right now. */
  readonly running: {
    readonly runId: string;
    readonly pid: number;
    readonly secondsAgo: number;
    /** Until when it waits for a rate limit; null while it works. */
    readonly waitsUntil: string | null;
  } | null;
  /** A tick that began and never ended. */
  readonly unfinished: {
    readonly runId: string;
    readonly phase: string;
    readonly secondsAgo: number;
  } | null;
  readonly notPutBack: FailedRollback | null;
  readonly lastTick: LastTick | null;
  /** What the same command would go on with, the newest last; none while somebody is at work. */
  readonly openSeries: readonly LastSeries[];
}

/** What is wrong with the runner's own files. */
export interface StateTroubles {
  readonly damagedLock: DamagedLock | null;
  /** How many lines the journal has lost that can be brought back. */
  readonly missingLines: number;
  /** A tick that was cut short and of which nothing is known any more. */
  readonly lost: { readonly runId: string; readonly secondsAgo: number } | null;
}

/** A tick that is over and whose rollback failed: nothing begins until that is settled. */
export interface FailedRollback {
  readonly runId: string;
  readonly secondsAgo: number;
  readonly differences: readonly string[];
}

export interface LastTick {
  readonly runId: string;
  readonly verdict: Report["verdict"];
  readonly code: Code;
  readonly intent: string | null;
  readonly secondsAgo: number;
  /** The commit that holds its change by now. */
  readonly commit: string | null;
  readonly isUndone: boolean;
  /** When the service that refused it will answer again; absent or null where that is over, or was not said. */
  readonly retryAt?: string | null;
}

/** An accepted change that lies in the working tree and waits for a person. */
export interface WaitingChange {
  readonly runId: string;
  readonly files: number;
  readonly newFiles: number;
}

export interface BudgetUse {
  readonly milestoneId: string | null;
  readonly used: WorkspaceState["budgets"];
  readonly caps: Config["budgets"]["per_milestone"];
  readonly warnAtFraction: number;
  /** One sentence for each counter that has come near its cap, of the milestone and of the series. */
  readonly warnings?: readonly string[];
}

export type Preflight =
  | { readonly kind: "ready" }
  | {
      readonly kind: "blocked";
      readonly code: Code;
      readonly cause: string;
      readonly message: string;
      /** What to do, where the code's own remedy does not fit. */
      readonly remedy?: string;
    };
