/**
 * What is known of a tick: the fold of its events so far, with exactly what exists in each phase.
 *
 * Recovery, the reports and the live view are functions of this value. It holds what was recorded and nothing that
 * could only be known by the process that ran the tick. `tick-facts.ts` finds a fact whatever the phase is.
 */
import type { Code } from "../../contract/values/codes.ts";
import type { SettleAction, TickEvent } from "../../contract/journal/event.ts";
import type { Task } from "../../contract/documents/task.ts";

export type EventOf<T extends TickEvent["type"]> = Extract<TickEvent, { type: T }>;

export interface Outcome {
  readonly code: Code;
  readonly cause: string | null;
  /** One sentence for a person, where there is more to say than the code does. */
  readonly message: string | null;
  /** When a service that refused the orchestrator will answer again, where it said so. */
  readonly until?: string;
  /** The question of an earlier tick that has to be answered first. */
  readonly question?: NonNullable<EventOf<"refused">["question"]>;
}

interface Unstarted {
  readonly phase: "start";
}

interface Started {
  readonly started: EventOf<"tick_started">;
}

interface Passed extends Started {
  readonly base: EventOf<"preflight_passed">;
}

export interface Prepared extends Passed {
  readonly prepared: EventOf<"prepared">;
  readonly orchestratorCalls: number;
  /** The last session of the orchestrator; null where the task is handed over. */
  readonly planning: EventOf<"plan_started"> | null;
  /** What each session of the orchestrator reported that it used. */
  readonly planUsage: readonly NonNullable<EventOf<"plan_rejected">["usage"]>[];
  /** The sessions that a service refused and that another agent took over. */
  readonly handedOver: readonly EventOf<"handed_over">[];
}

interface Planned extends Prepared {
  readonly task: Task;
  /** How many checks may come from the workflow itself. */
  readonly ownChecks: number;
}

interface Building extends Planned {
  readonly building: EventOf<"build_started">;
}

interface Built extends Building {
  readonly built: EventOf<"build_ended">;
}

/** Nobody has built where the task needs no builder: it only verifies, asks a person, or steers the series. */
export type Judged = (Planned | Built) & { readonly judged: EventOf<"judged"> };

/** `verified` is null where there was nothing to check. */
export type Checked = Judged & { readonly verified: EventOf<"verified"> | null };

export type Reviewing = Checked & {
  readonly reviewing: EventOf<"review_started">;
  /** What reviewers have answered while others were still to be asked. */
  readonly answers: EventOf<"reviewed">["reviews"];
  /** Whether an answer came while others were looking: it counts only if nothing was changed meanwhile. */
  readonly hasUnmeasured: boolean;
};

type Reviewed = Reviewing & { readonly reviewed: EventOf<"reviewed"> };

/** How far a tick came that was judged. */
export type JudgedFacts = Judged | Checked | Reviewing | Reviewed;
/** How far a tick came whose repository was remembered, so that it can be put back. */
export type PreparedFacts = Prepared | Planned | Building | Built | JudgedFacts;
export type StartedFacts = Started | Passed | PreparedFacts;
/** How far a tick came before its outcome was known. */
export type Facts = Unstarted | StartedFacts;

/** Decided by the gates, the checks, the reviewers or an interruption; sealed once it is settled. */
interface Decided {
  readonly outcome: Outcome;
}

/** What breaks the rules and what was cut short is put back; only what was judged can be kept. */
export type Settling = Decided &
  (
    | { readonly action: "rollback"; readonly facts: PreparedFacts }
    | { readonly action: Exclude<SettleAction, "rollback">; readonly facts: JudgedFacts }
  );

/** What a report tells of. */
export interface Reportable extends Decided {
  readonly facts: StartedFacts;
  /** Null where nothing had to be settled, or nothing could be. */
  readonly settlement: EventOf<"settled"> | EventOf<"rollback_failed"> | null;
}

/** A tick that was given up may be known by that alone. */
interface Ended extends Omit<Reportable, "facts"> {
  readonly facts: Facts;
}

interface Done extends Ended {
  /** What a person decided about an accepted change once the tick was over. Its report does not tell. */
  readonly accepted: EventOf<"accepted"> | null;
  readonly isUndone: boolean;
  /** Whether its history folder was removed to make room. */
  readonly isPruned: boolean;
}

type In<P extends string, State> = State & { readonly phase: P };

export type TickState =
  | Unstarted
  | In<"preflight", Started>
  | In<"prepare", Passed>
  /** With the reason why the last answer of the orchestrator was sent back. */
  | In<"plan", Prepared & { readonly rejection: EventOf<"plan_rejected"> | null }>
  | In<"orchestrate", Prepared & { readonly planning: EventOf<"plan_started"> }>
  | In<"announce_build", Planned>
  | In<"build", Building>
  | In<"judge", Planned | Built>
  | In<"write", Judged>
  | In<"verify", Judged & { readonly wanted: NonNullable<Task["verification"]> }>
  /** With what was answered before another agent took over. */
  | In<"announce_review", Checked & Pick<Reviewing, "answers">>
  | In<"review", Reviewing>
  | In<"announce_settle", Settling>
  | In<"settle", Settling>
  | In<"report", Reportable>
  | In<"end", Ended>
  | In<"done", Done>;

export type Phase = TickState["phase"];
export type StateIn<P extends Phase> = Extract<TickState, { readonly phase: P }>;

export const START: TickState = { phase: "start" };
