/** What one attempt came to, and what can be done with its work. */
import type { Attempt } from "../records/attempts.ts";
import type { Task } from "../records/task.ts";
import { type Code, CODES } from "../base/codes.ts";
import type { BegunAttempt } from "../tick/pure/attempt-report.ts";
import type { AttemptsEnd, RunningSession } from "../tick/tick-session.ts";
import type { JobPlace } from "./job-workspace.ts";

export interface EndedAttempt {
  readonly session: RunningSession;
  readonly place: JobPlace;
  readonly begun: BegunAttempt;
  /** The last document that it printed. */
  readonly document: Readonly<Record<string, unknown>> | null;
}

export interface MadeAttempt {
  readonly attempt: Attempt;
  readonly summary: string | null;
  /** Why it failed; null or absent says no more than the code. */
  readonly reason?: string | null;
  /** When a service that refused it answers again. */
  readonly until?: string | undefined;
  /** Keeps the work for later, and says where. */
  readonly keep: (task: Task) => Promise<Partial<Attempt>>;
  /** The work as the change of the tick. */
  readonly adopt: () => Promise<Pick<AttemptsEnd, "moves" | "commits">>;
}

export type ReadAttempt = (ended: EndedAttempt) => Promise<MadeAttempt>;

/** One that left nothing. */
export const NO_WORK: Pick<MadeAttempt, "keep" | "adopt"> = {
  keep: async () => ({}),
  adopt: async () => ({ moves: [], commits: null }),
};

/** A failure has a code, too; a process that was killed has nothing. */
export function readFailure(document: EndedAttempt["document"]): Pick<Attempt, "verdict" | "code"> {
  const code = document?.["code"];
  const known: Code = typeof code === "string" && isCode(code) ? code : "STOP_INTERRUPTED";
  return { code: known, verdict: CODES[known].verdict };
}

function isCode(code: string): code is Code {
  return Object.hasOwn(CODES, code);
}
