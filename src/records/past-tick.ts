import type { SettleAction } from "./event.ts";
import type { Code } from "../base/codes.ts";

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
