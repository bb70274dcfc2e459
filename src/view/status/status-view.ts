import type { Code } from "../../contract/values/codes.ts";
import type { Report } from "../../contract/documents/report.ts";
import type { WorkspaceState } from "../../contract/documents/state.ts";
import type { LastSeries } from "../../core/series/last-series.ts";
import type { Phase } from "../../core/tick/tick-state.ts";
import type { BudgetView } from "../cards/budget-lines.ts";
import type { NotPutBack } from "../cards/rollback-trouble.ts";
import type { StateTroubles } from "./state-troubles.ts";

/** Everything that the status is made from; the ages are measured by the caller, who has the clock. */
export interface StatusView extends StateTroubles {
  readonly repository: string;
  /** Null where HEAD names no branch. */
  readonly branch: string | null;
  readonly config:
    | { readonly kind: "usable" }
    | { readonly kind: "missing" }
    | { readonly kind: "unusable"; readonly message: string; readonly problems: readonly string[] };
  /** The relais that works here right now. */
  readonly running: {
    readonly runId: string;
    readonly pid: number;
    readonly secondsAgo: number;
    /** Until when it waits for a rate limit; null or absent while it works. */
    readonly waitsUntil?: string | null;
  } | null;
  /** A tick that began and never ended. */
  readonly unfinished: {
    readonly runId: string;
    readonly phase: Phase;
    readonly secondsAgo: number;
  } | null;
  readonly notPutBack: NotPutBack | null;
  readonly lastTick: {
    readonly runId: string;
    readonly verdict: Report["verdict"];
    readonly code: Code;
    readonly intent: string | null;
    readonly secondsAgo: number;
    /** The commit that holds its change by now. */
    readonly commit: string | null;
    readonly isUndone: boolean;
  } | null;
  /** What the same command would go on with, the newest last. */
  readonly openSeries: readonly LastSeries[];
  readonly question: WorkspaceState["open_question"];
  /** An accepted change that lies in the worktree and is not committed yet. */
  readonly accepted: { readonly runId: string; readonly files: number; readonly newFiles: number } | null;
  /** Null where there is no configuration. */
  readonly budgets: BudgetView | null;
  /** Why nobody can plan, so that a tick needs a task from a person; null where somebody can. */
  readonly planTrouble: string | null;
  /** What would happen if a tick began now; null where nobody asked. */
  readonly preflight:
    | { readonly kind: "ready" }
    | {
        readonly kind: "blocked";
        readonly code: Code;
        readonly cause: string | null;
        readonly message: string | null;
        /** Where it is known better than the code and the cause tell it. */
        readonly remedy?: string;
      }
    | null;
}
