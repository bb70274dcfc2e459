/** Why a command did nothing. Nothing was written in either case. */
import type { CodeOf } from "../base/codes.ts";
import type { RollbackStep } from "./recovery.ts";

/** Something that the command needs is missing, damaged or in use. */
export interface NotReady {
  readonly kind: "blocked";
  readonly code: CodeOf<"blocked">;
  readonly cause: string;
  readonly message: string;
  readonly problems: readonly string[];
  /** Replaces the remedy of the code. */
  readonly remedy?: string;
  /** What a rollback would do, where a person must allow it first. */
  readonly rollback?: readonly RollbackStep[];
}

/** Everything is in order, but the command cannot do this now. */
export interface Refusal {
  readonly kind: "refused";
  readonly runId: string | null;
  readonly cause: string;
  readonly message: string;
  readonly paths: readonly string[];
  readonly next: string;
}

export type CommandFailure = NotReady | Refusal;

export function refuseNotReady(cause: string, message: string, remedy?: string): NotReady {
  const why = { kind: "blocked", code: "BLOCKED_MISSING_CONFIG", cause, message, problems: [] } as const;
  return remedy === undefined ? why : { ...why, remedy };
}

type Reason = Pick<Refusal, "cause" | "message" | "next"> & Partial<Pick<Refusal, "runId" | "paths">>;

export function refuse({ cause, message, next, runId = null, paths = [] }: Reason): Refusal {
  return { kind: "refused", cause, message, next, runId, paths };
}
