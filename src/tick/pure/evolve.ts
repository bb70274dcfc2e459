import type { TickEvent } from "../../records/event.ts";
import type { Task } from "../../records/task.ts";
import { InvariantError } from "../../base/errors.ts";
import { HELD } from "../../records/suspicions.ts";
import { isReviewed, startSettling } from "./settle-action.ts";
import type {
  EventOf,
  Judged,
  JudgedFacts,
  Outcome,
  Phase,
  Prepared,
  StartedFacts,
  StateIn,
  TickState,
} from "./tick-state.ts";
import { findSettled, needsBuilder, listWantedChecks, pickAlso } from "./tick-facts.ts";

/** An event that does not fit its phase is a bug, not an outcome. */
export function evolve(state: TickState, event: TickEvent): TickState {
  const next = computeNextState(state, event);
  if (next === null) throw new InvariantError(`the event ${event.type} in the phase ${state.phase}`);
  return next;
}

function computeNextState(state: TickState, event: TickEvent): TickState | null {
  if (event.type === "interrupted") return interrupt(state, event);
  if (event.type === "abandoned") return abandon(state, event);
  return takeStep(state.phase, state, event);
}

type PhaseStep<P extends Phase> = (state: StateIn<P>, event: TickEvent) => TickState | null;

function takeStep<P extends Phase>(phase: P, state: StateIn<P>, event: TickEvent): TickState | null {
  return STEPS[phase](state, event);
}

const STEPS: { readonly [P in Phase]: PhaseStep<P> } = {
  start: (_, event) => (event.type === "tick_started" ? { phase: "preflight", started: event } : null),
  preflight: (state, event) => {
    if (event.type === "refused") return startReport(state, makeRefusal(event));
    return event.type === "preflight_passed" ? { ...state, phase: "prepare", base: event } : null;
  },
  prepare: (state, event) =>
    event.type === "prepared" ? { ...state, ...UNPLANNED, phase: "plan", prepared: event } : null,
  plan: (state, event) => {
    if (event.type !== "plan_started") return evolvePlan(state, event);
    const orchestratorCalls = state.orchestratorCalls + 1;
    const planPrompts = [...state.planPrompts, ...(event.prompt === undefined ? [] : [event.prompt])];
    return { ...state, phase: "orchestrate", planning: event, orchestratorCalls, planPrompts };
  },
  orchestrate: (state, event) => {
    if (event.type === "handed_over") return { ...addHandover(state, event), phase: "plan", rejection: null };
    if (event.type !== "plan_rejected") return evolvePlan(state, event);
    return { ...withUsage(state, event), phase: "plan", rejection: event };
  },
  baseline: (state, event) => (event.type === "baselined" ? evolveBaseline(state, event) : null),
  announce_build: (state, event) =>
    event.type === "build_started" ? { ...state, phase: "build", building: event } : null,
  build: (state, event) => {
    if (event.type === "handed_over") return { ...addHandover(state, event), phase: "announce_build" };
    if (event.type === "refused") return startSettling(withAttempts(state, event), makeRefusal(event));
    return event.type === "build_ended" ? { ...state, phase: "judge", built: event } : null;
  },
  judge: (state, event) => (event.type === "judged" ? applyJudgement(state, event) : null),
  write: (state, event) => (event.type === "written" ? startChecks(state) : null),
  verify: (state, event) => (event.type === "verified" ? finishChecks(state, event) : null),
  announce_review: (state, event) =>
    event.type === "review_started" ? { ...state, phase: "review", reviewing: event, hasUnmeasured: false } : null,
  review: (state, event) => {
    // The answers so far were measured before the handover.
    if (event.type === "handed_over") return { ...addHandover(state, event), phase: "announce_review" };
    if (event.type === "review_answered") return addAnswers(state, event);
    return event.type === "reviewed" ? startSettling({ ...state, reviewed: event }, readOutcome(event)) : null;
  },
  announce_ask: (state, event) => (event.type === "asked" ? { ...state, phase: "ask", asked: event } : null),
  ask: (state, event) => (event.type === "decided" ? applyDecision(state, event) : null),
  announce_settle: (state, event) => (event.type === "settle_started" ? startSettlement(state, event) : null),
  settle: evolveSettled,
  report: (state, event) => (event.type === "reported" ? { ...state, phase: "end" } : null),
  end: (state, event) => (event.type === "tick_ended" ? { ...state, ...UNDECIDED, phase: "done" } : null),
  done: evolveAfterEnd,
};

const UNPLANNED = {
  orchestratorCalls: 0,
  planning: null,
  planPrompts: [],
  planUsage: [],
  rejection: null,
  handedOver: [],
} as const;
const UNDECIDED = { accepted: null, isUndone: false, isRejected: false, isPruned: false } as const;

function evolvePlan(state: StateIn<"plan" | "orchestrate">, event: TickEvent): TickState | null {
  if (event.type === "refused") {
    // A session may have touched the repository, so it is rolled back first.
    const facts = withUsage(state, event);
    return facts.orchestratorCalls > 0
      ? startSettling(facts, makeRefusal(event))
      : startReport(facts, makeRefusal(event));
  }
  if (event.type !== "planned") return null;
  const { task, orchestrator_calls: orchestratorCalls, own_checks: ownChecks = 0, base_checks: own = 0 } = event;
  const { left_out: leftOut = [] } = event;
  const next = { ...withUsage(state, event), task, ...pickAlso(event), orchestratorCalls, ownChecks, leftOut };
  if (!needsBuilder(task)) return { ...next, phase: "judge" };
  return { ...next, phase: needsBaseline(state.started, task, own) ? "baseline" : "announce_build" };
}

function needsBaseline({ baseline }: EventOf<"tick_started">, { verification }: Task, own: number): boolean {
  return baseline === true && (verification?.fast.length ?? 0) + (verification?.slow.length ?? 0) + own > 0;
}

function evolveBaseline(state: StateIn<"baseline">, event: EventOf<"baselined">): TickState {
  const next = { ...state, baseline: event };
  const { code, message, go_on: goOn } = event;
  if (code === null) return { ...next, phase: "announce_build" };
  return startSettling(next, { code, cause: null, message, ...(goOn === undefined ? {} : { goOn }) });
}

function withAttempts(state: StateIn<"build">, { attempts }: EventOf<"refused">): StateIn<"build"> {
  return attempts === undefined ? state : { ...state, attempts };
}

function withUsage<Plan extends Prepared>(state: Plan, { usage = null }: Pick<EventOf<"refused">, "usage">): Plan {
  return usage === null ? state : { ...state, planUsage: [...state.planUsage, usage] };
}

function addHandover<Known extends Prepared>(state: Known, event: EventOf<"handed_over">): Known {
  return { ...state, handedOver: [...state.handedOver, event] };
}

function applyJudgement(state: StateIn<"judge">, event: EventOf<"judged">): TickState {
  const facts = { ...state, judged: event };
  const { code, cause } = event;
  // Who is to decide about a suspicion wants to know what the checks say.
  if (code !== "SUCCESS" && code !== HELD) {
    return startSettling(facts, { code, cause, message: chooseMessage(state, code) });
  }
  const { question } = state.task;
  if (question !== undefined)
    return startSettling(facts, { code: "STOP_QUESTION", cause: null, message: question.prompt });
  // A patch is judged by its result before it is written; a person edits it afterwards.
  const isPatch = "building" in state && state.building.driver === "patch" && state.building.landed === undefined;
  return isPatch && state.isEdited !== true ? { ...facts, phase: "write" } : startChecks(facts);
}

/** A session that failed or changed nothing says why; for every other code the findings do. */
function chooseMessage(state: StateIn<"judge">, code: EventOf<"judged">["code"]): string | null {
  if (!("built" in state)) return null;
  const isSaid = code === "STOP_NO_CHANGE" || state.built.failure?.code === code;
  return isSaid ? state.built.summary : null;
}

function startChecks(facts: Judged): TickState {
  const wanted = listWantedChecks(facts);
  return wanted === null ? finishChecks(facts, null) : { ...facts, phase: "verify", wanted };
}

function finishChecks(facts: Judged, verified: EventOf<"verified"> | null): TickState {
  const outcome = chooseOutcome(facts, verified);
  const next = { ...facts, verified };
  return isReviewed(facts, outcome.code)
    ? { ...next, phase: "announce_review", answers: [] }
    : startSettling(next, outcome);
}

/** A red check says more than a suspicion, and what the judge suspects more than what a check does. */
function chooseOutcome({ judged }: Judged, verified: EventOf<"verified"> | null): Outcome {
  const checked = verified === null ? SUCCESS : readOutcome(verified);
  const isDecided = checked.code !== "SUCCESS" && checked.code !== HELD;
  return isDecided || judged.code === "SUCCESS" ? checked : { code: judged.code, cause: judged.cause, message: null };
}

function addAnswers(state: StateIn<"review">, event: EventOf<"review_answered">): TickState {
  return {
    ...state,
    answers: [...state.answers, ...event.reviews],
    hasUnmeasured: state.hasUnmeasured || event.unmeasured === true,
  };
}

/** An edited change is judged like the builder's; everything that was said about the earlier one is void. */
function applyDecision(state: StateIn<"ask">, event: EventOf<"decided">): TickState | null {
  const { facts, outcome, action, asked } = state;
  const { decision, message, question } = event;
  if (question !== asked.question) return null;
  if (decision === "accept") return { phase: "announce_settle", facts, outcome, action };
  if (decision === "edit") return judgeAgain(facts);
  const refusal: Outcome =
    decision === "reject"
      ? { code: "STOP_REJECTED", cause: null, message }
      : { code: "STOP_UNDECIDED", cause: null, message };
  return { phase: "announce_settle", facts, outcome: refusal, action: "rollback" };
}

function judgeAgain(facts: JudgedFacts): TickState {
  const { started, base, prepared, orchestratorCalls, planning, planPrompts, planUsage, handedOver } = facts;
  const { task, ownChecks, leftOut } = facts;
  const baseline = facts.baseline === undefined ? {} : { baseline: facts.baseline };
  const before = { started, base, prepared, orchestratorCalls, planning, planPrompts, planUsage, handedOver };
  const planned = { ...before, task, ...pickAlso(facts), ownChecks, leftOut, ...baseline };
  const again = { ...planned, phase: "judge", isEdited: true } as const;
  return "built" in facts ? { ...again, building: facts.building, built: facts.built } : again;
}

function startSettlement(state: StateIn<"announce_settle">, { action }: EventOf<"settle_started">): TickState | null {
  if (action === "rollback") return { ...state, phase: "settle", action };
  return state.action === "rollback" ? null : { ...state, phase: "settle", action };
}

function evolveSettled({ facts, outcome }: StateIn<"settle">, event: TickEvent): TickState | null {
  if (event.type === "settled") return { phase: "report", facts, outcome, settlement: event };
  if (event.type !== "rollback_failed") return null;
  const { message } = event;
  const failed = { code: "BLOCKED_ROLLBACK_FAILED", cause: null, message } as const;
  return { phase: "report", facts, outcome: failed, settlement: event };
}

function startReport(facts: StartedFacts, outcome: Outcome): TickState {
  return { phase: "report", facts, outcome, settlement: null };
}

/** Nothing more is reverted. The known facts stay, and the end can be recorded. */
function abandon(state: TickState, { message }: EventOf<"abandoned">): TickState | null {
  if (state.phase === "done")
    return state.settlement?.type === "rollback_failed" ? { ...state, settlement: null } : null;
  const facts = "facts" in state ? state.facts : state;
  const settlement = "settlement" in state ? state.settlement : null;
  const outcome = { code: "STOP_INTERRUPTED", cause: "abandoned", message } as const;
  return { phase: "end", facts, outcome, settlement };
}

/** A settled tick is not reverted; an interrupted rollback is repeated, for its own reason. */
function interrupt(state: TickState, event: EventOf<"interrupted">): TickState | null {
  if (state.phase === "start") return null;
  if ("settlement" in state) return state;
  if (!("facts" in state))
    return "prepared" in state
      ? { phase: "announce_settle", action: "rollback", facts: state, outcome: makeRefusal(event) }
      : startReport(state, makeRefusal(event));
  const outcome = state.action === "rollback" ? state.outcome : makeRefusal(event);
  return { phase: "announce_settle", action: "rollback", facts: state.facts, outcome };
}

export type SeriesEvent = Extract<TickEvent, { type: "series_waiting" | "series_resumed" | "series_ended" }>;

export function isOfSeries(event: TickEvent): event is SeriesEvent {
  return event.type === "series_waiting" || event.type === "series_resumed" || event.type === "series_ended";
}

const SUCCESS: Outcome = { code: "SUCCESS", cause: null, message: null };

function readOutcome({ code, cause, message = null }: GateAnswer): Outcome {
  return code === null ? SUCCESS : { code, cause, message };
}

interface GateAnswer extends Pick<Outcome, "cause"> {
  readonly code: Outcome["code"] | null;
  readonly message?: Outcome["message"];
}

function makeRefusal(event: EventOf<"refused" | "interrupted">): Outcome {
  const { code, cause, message } = event;
  if (event.type === "interrupted") return { code, cause, message };
  const { until, question } = event;
  return {
    code,
    cause,
    message,
    ...(until === undefined ? {} : { until }),
    ...(question === undefined ? {} : { question }),
  };
}

type Done = StateIn<"done">;

/** Mostly decisions of a person. Null if the event does not fit this tick. */
function evolveAfterEnd(state: Done, event: TickEvent): Done | null {
  if (isAboutMore(event)) return state;
  if (event.type === "pruned") return { ...state, isPruned: true };
  if (event.type === "answered") return state.outcome.code === "STOP_QUESTION" ? state : null;
  if (isDecision(event)) return evolveDecision(state, event);
  // A failed rollback was finished later.
  const isFailed = state.settlement?.type === "rollback_failed";
  return event.type === "settled" && isFailed ? { ...state, settlement: event } : null;
}

type Decision = EventOf<"undone" | "accepted" | "rejected">;

function isDecision(event: TickEvent): event is Decision {
  return event.type === "undone" || event.type === "accepted" || event.type === "rejected";
}

/** About the series or the milestone, not about this tick. */
const isAboutMore = (event: TickEvent): boolean => isOfSeries(event) || event.type === "milestone_opened";

function reject(state: Done): Done | null {
  return state.outcome.code === HELD && !state.isRejected ? { ...state, isRejected: true } : null;
}

/** A kept change is committed at most once and undone at most once, and then nothing more is decided. */
function evolveDecision(state: Done, event: Decision): Done | null {
  if (event.type === "rejected") return reject(state);
  const action = findSettled(state)?.action ?? "rollback";
  if (action === "rollback" || state.isUndone) return null;
  if (event.type === "undone") return { ...state, isUndone: true };
  return action === "commit" || state.accepted !== null ? null : { ...state, accepted: event };
}
