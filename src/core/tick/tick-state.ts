/**
 * What is known of a tick: the fold of its events so far.
 *
 * Recovery, the reports and the live view are functions of this value. It holds what was recorded and nothing that
 * could only be known by the process that ran the tick.
 */
import type { Code } from "../../contract/values/codes.ts";
import type { SettleAction, TickEvent } from "../../contract/journal/event.ts";
import type { Task } from "../../contract/documents/task.ts";

type Recorded<T extends TickEvent["type"]> = Omit<Extract<TickEvent, { type: T }>, "type">;

export type Phase =
  | "start"
  | "preflight"
  | "prepare"
  | "plan"
  | "orchestrate"
  | "announce_build"
  | "build"
  | "judge"
  | "write"
  | "verify"
  | "announce_review"
  | "review"
  | "announce_settle"
  | "settle"
  | "report"
  | "end"
  | "done";

export interface Outcome {
  readonly code: Code;
  readonly cause: string | null;
  /** One sentence for a person, where there is more to say than the code does. */
  readonly message: string | null;
}

export interface TickState {
  readonly phase: Phase;
  readonly started: Recorded<"tick_started"> | null;
  readonly base: Recorded<"preflight_passed"> | null;
  readonly prepared: Recorded<"prepared"> | null;
  readonly task: Task | null;
  readonly orchestratorCalls: number;
  /** How many checks may come from the workflow itself. */
  readonly ownChecks: number;
  /** The last session of the orchestrator, and why its answer was sent back. */
  readonly planning: Recorded<"plan_started"> | null;
  readonly rejection: Recorded<"plan_rejected"> | null;
  /** What each session of the orchestrator reported that it used. */
  readonly planUsage: readonly NonNullable<Recorded<"plan_rejected">["usage"]>[];
  readonly building: Recorded<"build_started"> | null;
  readonly built: Recorded<"build_ended"> | null;
  readonly judged: Recorded<"judged"> | null;
  readonly verified: Recorded<"verified"> | null;
  readonly reviewing: Recorded<"review_started"> | null;
  /** What reviewers have answered while others were still to be asked. */
  readonly answers: Recorded<"reviewed">["reviews"];
  /** Whether an answer came while others were looking: it counts only if nothing was changed meanwhile. */
  readonly hasUnmeasured: boolean;
  readonly reviewed: Recorded<"reviewed"> | null;
  /** Decided by the gates, the checks, the reviewers or an interruption; sealed once it is settled. */
  readonly outcome: Outcome | null;
  readonly action: SettleAction | null;
  readonly settled: Recorded<"settled"> | null;
  readonly rollbackFailure: Recorded<"rollback_failed"> | null;
  /** What a person decided about an accepted change once the tick was over. Its report does not tell. */
  readonly accepted: Recorded<"accepted"> | null;
  readonly isUndone: boolean;
  /** Whether its history folder was removed to make room. */
  readonly isPruned: boolean;
}

export const START: TickState = {
  phase: "start",
  started: null,
  base: null,
  prepared: null,
  task: null,
  orchestratorCalls: 0,
  ownChecks: 0,
  planning: null,
  rejection: null,
  planUsage: [],
  building: null,
  built: null,
  judged: null,
  verified: null,
  reviewing: null,
  answers: [],
  hasUnmeasured: false,
  reviewed: null,
  outcome: null,
  action: null,
  settled: null,
  rollbackFailure: null,
  accepted: null,
  isUndone: false,
  isPruned: false,
};
