/** What `relais recover` did. */
import type { Report } from "../documents/report.ts";

/** Ignored files that had changed: where the copies are, and how many of how many could be kept. */
export interface RescuedFiles {
  readonly folder: string;
  readonly kept: number;
  readonly total: number;
}

/** A lock file that cannot be read: no tick begins beside it, and only a person may remove it. */
export interface DamagedLock {
  readonly path: string;
  readonly reason: string;
}

interface Problems {
  /** What could not be written or kept. */
  readonly problems: readonly string[];
}

export type RecoveryStep =
  /** Nothing was cut short; the documents were written again. */
  | ({ readonly kind: "nothing" } & Problems)
  /** It could not be put back, and nothing was touched; ticks can begin again. */
  | ({ readonly kind: "abandoned"; readonly runId: string } & Problems)
  | ({
      readonly kind: "recovered";
      readonly runId: string;
      /** Whether anything was put back; a tick that was settled keeps what it has. */
      readonly restored: boolean;
      /** Null where the tick had ended before. */
      readonly report: Report | null;
      readonly rescued: RescuedFiles | null;
    } & Problems);

export type Recovery = RecoveryStep & {
  /** How many lines of the journal were missing and are back. */
  readonly mendedLines: number;
  readonly damagedLock: DamagedLock | null;
};
