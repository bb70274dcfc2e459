import type { Report } from "./report.ts";

/** Changed ignored files: where the copies are, and how many of them were kept. */
export interface RescuedFiles {
  readonly folder: string;
  readonly kept: number;
  readonly total: number;
}

/** An unreadable lock file. It blocks every tick, and only a person may remove it. */
export interface DamagedLock {
  readonly path: string;
  readonly reason: string;
}

interface Problems {
  readonly problems: readonly string[];
}

export type RecoveryStep =
  /** There was no interrupted tick; the documents were written again. */
  | ({ readonly kind: "nothing" } & Problems)
  /** It could not be rolled back, and nothing was touched; ticks can start again. */
  | ({ readonly kind: "abandoned"; readonly runId: string } & Problems)
  | ({
      readonly kind: "recovered";
      readonly runId: string;
      /** Whether anything was reverted; a settled tick keeps its change. */
      readonly restored: boolean;
      /** Null if the tick had already ended. */
      readonly report: Report | null;
      readonly rescued: RescuedFiles | null;
    } & Problems);

export type Recovery = RecoveryStep & {
  /** How many missing lines of the journal were restored. */
  readonly mendedLines: number;
  readonly damagedLock: DamagedLock | null;
};

/** One thing that a rollback would do. */
export interface RollbackStep {
  /** `mode` changes permissions or the owner only. */
  readonly act: "write" | "remove" | "mode";
  /** As text; that of git's own data follows `git: `. */
  readonly path: string;
}
