import type { Config } from "../config/config.ts";
import type { Report } from "./report.ts";
import type { WorkspaceState } from "./state.ts";
import type { LastSeries } from "./series.ts";
import type { Code } from "../base/codes.ts";
import type { DamagedLock } from "./recovery.ts";
import type { SettleAction } from "./event.ts";
import type { Judgement } from "./judgement.ts";
import type { LeftOut } from "./kept-work.ts";

/** Something that waits for a person, and the command for it. */
export interface WaitingThing {
  readonly kind: "tick" | "question" | "change" | "held" | "goal" | "tree" | "campaign" | "salvage";
  readonly what: string;
  readonly command: string;
  /** The tick that it is about, where that is not the last one. */
  readonly runId?: string;
}

export interface Status extends StatusTicks, StateTroubles {
  readonly kind: "status";
  readonly repository: string;
  readonly branch: string | null;
  readonly config:
    | { readonly kind: "usable" }
    | { readonly kind: "missing" }
    | { readonly kind: "unusable"; readonly message: string; readonly problems: readonly string[] };
  /** The most urgent first; absent is nothing. */
  readonly waiting?: readonly WaitingThing[];
  readonly question: WorkspaceState["open_question"];
  readonly accepted: WaitingChange | null;
  readonly budgets: BudgetUse | null;
  /** Why there is no orchestrator, so that a tick needs a task file; null if there is one. */
  readonly planTrouble: string | null;
  /** What would happen if a tick started now; null if not requested. */
  readonly preflight: Preflight | null;
}

export interface StatusTicks {
  readonly running: {
    readonly runId: string;
    readonly pid: number;
    readonly secondsAgo: number;
    /** The end of a wait for a rate limit; null while it works. */
    readonly waitsUntil: string | null;
    /** Until when its change waits for your decision; absent or null if none does. */
    readonly asksUntil?: string | null;
    /** Whether it was asked to end after its tick; absent is no. */
    readonly isPausing?: boolean;
  } | null;
  readonly unfinished: {
    readonly runId: string;
    readonly phase: string;
    readonly secondsAgo: number;
  } | null;
  readonly notPutBack: FailedRollback | null;
  readonly lastTick: LastTick | null;
  /** What the same command would resume, the newest last; none while a tick runs. */
  readonly openSeries: readonly LastSeries[];
}

export interface StateTroubles {
  readonly damagedLock: DamagedLock | null;
  /** How many missing lines can be restored. */
  readonly missingLines: number;
  /** An interrupted tick without any record. */
  readonly lost: { readonly runId: string; readonly secondsAgo: number } | null;
}

/** No tick starts until this is settled. */
export interface FailedRollback {
  readonly runId: string;
  readonly secondsAgo: number;
  readonly differences: readonly string[];
}

export interface LastTick {
  readonly runId: string;
  readonly verdict: Report["verdict"];
  readonly code: Code;
  /** The words of a turn that leads to the next one; absent or null for every other tick. */
  readonly turn?: string | null;
  readonly intent: string | null;
  readonly secondsAgo: number;
  readonly commit: string | null;
  readonly isUndone: boolean;
  /** When the service that refused it answers again; absent or null if that is over or unknown. */
  readonly retryAt?: string | null;
}

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
  readonly warnings?: readonly string[];
}

export type Preflight =
  | { readonly kind: "ready" }
  | {
      readonly kind: "blocked";
      readonly code: Code;
      readonly cause: string;
      readonly message: string;
      /** Replaces the remedy of the code. */
      readonly remedy?: string;
    };

/** One tick of `relais history`. */
export interface PastTick {
  readonly runId: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Null if it has no known end. */
  readonly code: Code | null;
  /** The words of a turn that leads to the next one; absent or null for every other tick. */
  readonly turn?: string | null;
  readonly intent: string | null;
  readonly action: SettleAction | null;
  readonly commit: string | null;
  readonly branch: string | null;
  readonly isAccepted: boolean;
  readonly isUndone: boolean;
  readonly isRunning: boolean;
  readonly isPruned: boolean;
  /** Whether its folder exists, and whether it should. */
  readonly isKept: boolean;
  readonly isExpected: boolean;
}

/** Whether judging a recorded tick again gives the recorded result. */

export interface FileDiffers {
  readonly kind: "differs";
  readonly file: string;
  /** A field such as `findings[0].code`, or a byte of the file. */
  readonly place: string;
  readonly recorded: string;
  readonly derived: string;
  /** The hashes of the whole file, if it is not the recorded one. */
  readonly sha256: { readonly recorded: string; readonly found: string } | null;
}

export type FileTrouble = FileDiffers | { readonly kind: "damaged"; readonly file: string; readonly reason: string };

/** Other files of the folder that differ from the record. */
export interface OtherFiles {
  readonly others: readonly { readonly file: string; readonly reason: string }[];
}

export type ReplayedTick =
  | {
      readonly kind: "same";
      readonly judgement: Pick<Judgement, "code">;
      /** Whether the journal has the hash of the evidence, and of every file. */
      readonly isHashChecked: boolean;
      readonly isFolderChecked: boolean;
    }
  | (FileTrouble & OtherFiles)
  /** The tick ended before it was judged. */
  | { readonly kind: "nothing-judged" }
  /** The folder was pruned, or no history is configured. */
  | { readonly kind: "pruned" | "not-kept" };

export interface ReplayRow {
  readonly runId: string;
  readonly replayed: ReplayedTick;
}

/** The change of one tick, from its recorded evidence; of a running one the change so far. */
export interface TickChange {
  readonly kind: "change";
  readonly runId: string;
  readonly intent: string | null;
  readonly state: "running" | "kept" | "committed" | "reverted" | "undone";
  readonly commit: string | null;
  readonly branch: string | null;
  /** A patch for git, exact to the last byte. */
  readonly patch: Uint8Array;
  /** Changed paths that the patch does not have. */
  readonly leftOut: readonly LeftOut[];
}
