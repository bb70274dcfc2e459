import type { TickEvent } from "../../contract/journal/event.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { evolveAfterEnd } from "./evolve-after-end.ts";
import { readOutcome, makeRefusal, SUCCESS } from "./gate-outcome.ts";
import { isReviewed, startSettling } from "./settle-action.ts";
import { needsBuilder, listWantedChecks } from "./task-needs.ts";
import type { EventOf, Judged, Outcome, Phase, Prepared, StartedFacts, StateIn, TickState } from "./tick-state.ts";

/** Folds one event into the tick. An event that its phase cannot take is a bug, not an outcome. */
export function evolve(state: TickState, event: TickEvent): TickState {
  const next = nextState(state, event);
  if (next === null) throw new InvariantError(`the event ${event.type} in the phase ${state.phase}`);
  return next;
}

/** Null where the event does not fit the phase. */
function nextState(state: TickState, event: TickEvent): TickState | null {
  if (event.type === "interrupted") return interrupted(state, event);
  if (event.type === "abandoned") return abandoned(state, event);
  return take(state.phase, state, event);
}

type Step<P extends Phase> = (state: StateIn<P>, event: TickEvent) => TickState | null;

function take<P extends Phase>(phase: P, state: StateIn<P>, event: TickEvent): TickState | null {
  return STEPS[phase](state, event);
}

/** What each phase makes of the events that it can take. */
const STEPS: { readonly [P in Phase]: Step<P> } = {
  start: (_, event) => (event.type === "tick_started" ? { phase: "preflight", started: event } : null),
  preflight: (state, event) => {
    if (event.type === "refused") return reporting(state, makeRefusal(event));
    return event.type === "preflight_passed" ? { ...state, phase: "prepare", base: event } : null;
  },
  prepare: (state, event) =>
    event.type === "prepared" ? { ...state, ...UNPLANNED, phase: "plan", prepared: event } : null,
  plan: (state, event) => {
    if (event.type !== "plan_started") return planned(state, event);
    const orchestratorCalls = state.orchestratorCalls + 1;
    return { ...state, phase: "orchestrate", planning: event, orchestratorCalls };
  },
  orchestrate: (state, event) => {
    if (event.type === "handed_over") return { ...handedOver(state, event), phase: "plan", rejection: null };
    if (event.type !== "plan_rejected") return planned(state, event);
    return { ...withUsage(state, event), phase: "plan", rejection: event };
  },
  announce_build: (state, event) =>
    event.type === "build_started" ? { ...state, phase: "build", building: event } : null,
  build: (state, event) => {
    if (event.type === "handed_over") return { ...handedOver(state, event), phase: "announce_build" };
    if (event.type === "refused") return startSettling(state, makeRefusal(event));
    return event.type === "build_ended" ? { ...state, phase: "judge", built: event } : null;
  },
  judge: (state, event) => (event.type === "judged" ? judged(state, event) : null),
  write: (state, event) => (event.type === "written" ? beforeChecks(state) : null),
  verify: (state, event) => (event.type === "verified" ? checked(state, event) : null),
  announce_review: (state, event) =>
    event.type === "review_started" ? { ...state, phase: "review", reviewing: event, hasUnmeasured: false } : null,
  review: (state, event) => {
    // What was answered so far was measured before it was handed over.
    if (event.type === "handed_over") return { ...handedOver(state, event), phase: "announce_review" };
    if (event.type === "review_answered") return answered(state, event);
    return event.type === "reviewed" ? reviewed(state, event) : null;
  },
  announce_settle: (state, event) => (event.type === "settle_started" ? announced(state, event) : null),
  settle: settled,
  report: (state, event) => (event.type === "reported" ? { ...state, phase: "end" } : null),
  end: (state, event) => (event.type === "tick_ended" ? { ...state, ...UNDECIDED, phase: "done" } : null),
  done: evolveAfterEnd,
};

const UNPLANNED = {
  orchestratorCalls: 0,
  planning: null,
  planUsage: [],
  rejection: null,
  handedOver: [],
} as const;
const UNDECIDED = { accepted: null, isUndone: false, isPruned: false } as const;

/** From the task that was handed over, or that an orchestrator answered with, to the work. */
function planned(state: StateIn<"plan" | "orchestrate">, event: TickEvent): TickState | null {
  if (event.type === "refused") {
    // Where somebody may have touched the repository it has to be put back first.
    const facts = withUsage(state, event);
    return facts.orchestratorCalls > 0
      ? startSettling(facts, makeRefusal(event))
      : reporting(facts, makeRefusal(event));
  }
  if (event.type !== "planned") return null;
  const { task, orchestrator_calls: orchestratorCalls, own_checks: ownChecks = 0 } = event;
  const next = { ...withUsage(state, event), task, orchestratorCalls, ownChecks };
  return needsBuilder(task) ? { ...next, phase: "announce_build" } : { ...next, phase: "judge" };
}

function withUsage<Plan extends Prepared>(state: Plan, { usage = null }: Pick<EventOf<"refused">, "usage">): Plan {
  return usage === null ? state : { ...state, planUsage: [...state.planUsage, usage] };
}

/** The next agent of the role is announced as the first one was. */
function handedOver<Known extends Prepared>(state: Known, event: EventOf<"handed_over">): Known {
  return { ...state, handedOver: [...state.handedOver, event] };
}

function judged(state: StateIn<"judge">, event: EventOf<"judged">): TickState {
  const facts = { ...state, judged: event };
  const { code, cause } = event;
  if (code !== "SUCCESS") {
    return startSettling(facts, { code, cause, message: wordsFor(state, code) });
  }
  const { question } = state.task;
  if (question !== undefined)
    return startSettling(facts, { code: "STOP_QUESTION", cause: null, message: question.prompt });
  // A patch was judged by what it would make of the worktree; only now may it be written there.
  const isPatch = "building" in state && state.building.driver === "patch";
  return isPatch ? { ...facts, phase: "write" } : beforeChecks(facts);
}

/** A session that failed, or that changed nothing, said why; for every other code the findings do. */
function wordsFor(state: StateIn<"judge">, code: EventOf<"judged">["code"]): string | null {
  if (!("built" in state)) return null;
  const isSaid = code === "STOP_NO_CHANGE" || state.built.failure?.code === code;
  return isSaid ? state.built.summary : null;
}

function beforeChecks(facts: Judged): TickState {
  const wanted = listWantedChecks(facts);
  return wanted === null ? checked(facts, null) : { ...facts, phase: "verify", wanted };
}

/** The checks are over: whoever reviews is asked now, with their results before them. */
function checked(facts: Judged, verified: EventOf<"verified"> | null): TickState {
  const outcome = verified === null ? SUCCESS : readOutcome(verified);
  const next = { ...facts, verified };
  return isReviewed(facts, outcome.code)
    ? { ...next, phase: "announce_review", answers: [] }
    : startSettling(next, outcome);
}

function answered(state: StateIn<"review">, event: EventOf<"review_answered">): TickState {
  return {
    ...state,
    answers: [...state.answers, ...event.reviews],
    hasUnmeasured: state.hasUnmeasured || event.unmeasured === true,
  };
}

/** Reviewers can withhold their approval; what a red check says stays said, unless the tick is not to count at all. */
function reviewed(state: StateIn<"review">, event: EventOf<"reviewed">): TickState {
  const { verified } = state;
  const isRed = verified !== null && verified.code !== null && event.code !== "STOP_RATE_LIMITED";
  return startSettling({ ...state, reviewed: event }, readOutcome(isRed ? verified : event));
}

function announced(state: StateIn<"announce_settle">, { action }: EventOf<"settle_started">): TickState | null {
  if (action === "rollback") return { ...state, phase: "settle", action };
  return state.action === "rollback" ? null : { ...state, phase: "settle", action };
}

function settled({ facts, outcome }: StateIn<"settle">, event: TickEvent): TickState | null {
  if (event.type === "settled") return { phase: "report", facts, outcome, settlement: event };
  if (event.type !== "rollback_failed") return null;
  const { message } = event;
  const failed = { code: "BLOCKED_ROLLBACK_FAILED", cause: null, message } as const;
  return { phase: "report", facts, outcome: failed, settlement: event };
}

/** The tick ends without anything to settle. */
function reporting(facts: StartedFacts, outcome: Outcome): TickState {
  return { phase: "report", facts, outcome, settlement: null };
}

/** Nothing more is put back. What is known of the tick stays, and its end can be recorded. */
function abandoned(state: TickState, { message }: EventOf<"abandoned">): TickState | null {
  if (state.phase === "done")
    return state.settlement?.type === "rollback_failed" ? { ...state, settlement: null } : null;
  const facts = "facts" in state ? state.facts : state;
  const settlement = "settlement" in state ? state.settlement : null;
  const outcome = { code: "STOP_INTERRUPTED", cause: "abandoned", message } as const;
  return { phase: "end", facts, outcome, settlement };
}

/** Nothing is undone once it is settled; a rollback that was cut short is done again, for its own reason. */
function interrupted(state: TickState, event: EventOf<"interrupted">): TickState | null {
  if (state.phase === "start") return null;
  if ("settlement" in state) return state;
  if (!("facts" in state))
    return "prepared" in state
      ? { phase: "announce_settle", action: "rollback", facts: state, outcome: makeRefusal(event) }
      : reporting(state, makeRefusal(event));
  const outcome = state.action === "rollback" ? state.outcome : makeRefusal(event);
  return { phase: "announce_settle", action: "rollback", facts: state.facts, outcome };
}
