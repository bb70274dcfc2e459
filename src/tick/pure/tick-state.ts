/**
 * The state of a tick: the fold of its events so far, with exactly the facts of each phase. Recovery, reports and the
 * live view are functions of this value, so it holds only what was recorded. `tick-facts.ts` finds a fact in any phase.
 */
import type { Attempts } from "../../records/attempts.ts";
import type { Code } from "../../base/codes.ts";
import type { SettleAction, TickEvent } from "../../records/event.ts";
import type { Task } from "../../records/task.ts";

export type EventOf<T extends TickEvent["type"]> = Extract<TickEvent, { type: T }>;

export interface Outcome {
  readonly code: Code;
  readonly cause: string | null;
  /** One sentence, if there is more to say than the code does. */
  readonly message: string | null;
  readonly until?: string;
  /** The command that goes on. */
  readonly goOn?: string;
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
  /** The last session; null if the task came from a file. */
  readonly planning: EventOf<"plan_started"> | null;
  /** The prompts of all sessions that planned. */
  readonly planPrompts: readonly NonNullable<EventOf<"plan_started">["prompt"]>[];
  readonly planUsage: readonly NonNullable<EventOf<"plan_rejected">["usage"]>[];
  readonly handedOver: readonly EventOf<"handed_over">[];
}

interface Planned extends Prepared {
  readonly task: Task;
  /** Further tasks of the same answer; absent is none. */
  readonly also?: readonly Task[];
  readonly ownChecks: number;
  /** Required checks that a person left out. */
  readonly leftOut: readonly string[];
  /** How the checks ended before the build; absent where they were not run. */
  readonly baseline?: EventOf<"baselined">;
  /** A person edited the change, which is judged again; absent is no. */
  readonly isEdited?: true;
}

interface Building extends Planned {
  readonly building: EventOf<"build_started">;
  /** None of several attempts passed; absent otherwise. */
  readonly attempts?: Attempts;
}

interface Built extends Building {
  readonly built: EventOf<"build_ended">;
}

/** There is no build if the task needs no builder: it only verifies, asks a person, or controls the series. */
export type Judged = (Planned | Built) & { readonly judged: EventOf<"judged"> };

export type Checked = Judged & {
  readonly verified: EventOf<"verified"> | null;
};

export type Reviewing = Checked & {
  readonly reviewing: EventOf<"review_started">;
  readonly answers: EventOf<"reviewed">["reviews"];
  /** Whether an answer came while others were running: it counts only if nothing changed meanwhile. */
  readonly hasUnmeasured: boolean;
};

type Reviewed = Reviewing & { readonly reviewed: EventOf<"reviewed"> };

export type JudgedFacts = Judged | Checked | Reviewing | Reviewed;
/** Only a prepared tick can be rolled back. */
export type PreparedFacts = Prepared | Planned | Building | Built | JudgedFacts;
export type StartedFacts = Started | Passed | PreparedFacts;
export type Facts = Unstarted | StartedFacts;

/** Sealed once it is settled. */
interface Decided {
  readonly outcome: Outcome;
}

/** A broken rule or an interruption is rolled back; only a judged change can be kept. */
export type Settling = Decided &
  (
    | { readonly action: "rollback"; readonly facts: PreparedFacts }
    | { readonly action: Exclude<SettleAction, "rollback">; readonly facts: JudgedFacts }
  );

/** It would be kept, and waits for a person. */
type Asking = Extract<Settling, { readonly facts: JudgedFacts }>;

export interface Reportable extends Decided {
  readonly facts: StartedFacts;
  /** Null if nothing had to be settled, or nothing could be. */
  readonly settlement: EventOf<"settled"> | EventOf<"rollback_failed"> | null;
}

/** An abandoned tick may have no other event. */
interface Ended extends Omit<Reportable, "facts"> {
  readonly facts: Facts;
}

interface Done extends Ended {
  /** A person's decision after the end; the report does not include it. */
  readonly accepted: EventOf<"accepted"> | null;
  readonly isUndone: boolean;
  readonly isRejected: boolean;
  readonly isPruned: boolean;
}

type In<P extends string, State> = State & { readonly phase: P };

export type TickState =
  | Unstarted
  | In<"preflight", Started>
  | In<"prepare", Passed>
  | In<"plan", Prepared & { readonly rejection: EventOf<"plan_rejected"> | null }>
  | In<"orchestrate", Prepared & { readonly planning: EventOf<"plan_started"> }>
  | In<"baseline", Planned>
  | In<"announce_build", Planned>
  | In<"build", Building>
  | In<"judge", Planned | Built>
  | In<"write", Judged>
  | In<"verify", Judged & { readonly wanted: NonNullable<Task["verification"]> }>
  | In<"announce_review", Checked & Pick<Reviewing, "answers">>
  | In<"review", Reviewing>
  | In<"announce_ask", Asking>
  | In<"ask", Asking & { readonly asked: EventOf<"asked"> }>
  | In<"announce_settle", Settling>
  | In<"settle", Settling>
  | In<"report", Reportable>
  | In<"end", Ended>
  | In<"done", Done>;

export type Phase = TickState["phase"];
export type StateIn<P extends Phase> = Extract<TickState, { readonly phase: P }>;

export const START: TickState = { phase: "start" };
