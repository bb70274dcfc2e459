import type { TickEvent } from "../../contract/journal/event.ts";
import { InvariantError, unreachable } from "../../contract/values/invariant.ts";
import { isOfSeries, type SeriesEvent } from "./is-of-series.ts";
import { afterTheEnd } from "./after-the-end.ts";
import { at } from "./at-phase.ts";
import { isReviewed, settleAction } from "./settle-action.ts";
import { outcomeOf, SUCCESS } from "./gate-outcome.ts";
import { hasChecks, needsBuilder } from "./task-needs.ts";
import type { Outcome, Phase, TickState } from "./tick-state.ts";

type EventOf<T extends TickEvent["type"]> = Extract<TickEvent, { type: T }>;

/** Folds one event into the tick. An event that its phase cannot take is a bug, not an outcome. */
export function evolve(state: TickState, event: TickEvent): TickState {
  if (event.type === "review_answered")
    return at(state, ["review"], {
      answers: [...state.answers, ...event.reviews],
      hasUnmeasured: state.hasUnmeasured || event.unmeasured === true,
    });
  return isOfSeries(event) ? at(state, ["done"], {}) : evolveTick(state, event);
}

type OtherEvent = Exclude<TickEvent, SeriesEvent | EventOf<"review_answered">>;

function evolveTick(state: TickState, event: OtherEvent): TickState {
  switch (event.type) {
    case "tick_started":
      return at(state, ["start"], { phase: "preflight", started: event });
    case "refused":
      return refuse(state, event);
    case "preflight_passed":
      return at(state, ["preflight"], { phase: "prepare", base: event });
    case "prepared":
      return at(state, ["prepare"], { phase: "plan", prepared: event });
    case "plan_started":
    case "plan_rejected":
    case "planned":
      return plan(state, event);
    case "build_started":
      return at(state, ["announce_build"], { phase: "build", building: event });
    case "build_ended":
      return at(state, ["build"], { phase: "judge", built: event });
    case "judged":
      return at(state, ["judge"], afterJudge(state, event));
    case "written":
      return at(state, ["write"], beforeChecks(state));
    case "verified":
      return at(state, ["verify"], afterVerify(state, event));
    case "review_started":
    case "reviewed":
      return review(state, event);
    case "settle_started":
      return at(state, ["announce_settle"], { phase: "settle", action: event.action });
    case "settled":
      return settle(state, event);
    case "rollback_failed":
      return at(state, ["settle"], failedRollback(event));
    case "interrupted":
      return interrupted(state, event);
    case "reported":
      return at(state, ["report"], { phase: "end" });
    case "tick_ended":
      return at(state, ["end"], { phase: "done" });
    case "accepted":
    case "undone":
    case "answered":
    case "pruned":
      return afterTheEnd(state, event);
    case "abandoned":
      return abandoned(state, event);
    default:
      return unreachable(event);
  }
}

function review(state: TickState, event: EventOf<"review_started" | "reviewed">): TickState {
  return event.type === "review_started"
    ? at(state, ["announce_review"], { phase: "review", reviewing: event })
    : at(state, ["review"], afterReview(state, event));
}

function refuse(state: TickState, event: EventOf<"refused">): TickState {
  const next = { ...ending(state, refusal(event)), ...usedBy(state, event.usage) };
  return at(state, ["preflight", "plan", "orchestrate", "build"], next);
}

/** From the first session of an orchestrator, or from the task that was handed over, to the task. */
function plan(state: TickState, event: EventOf<"plan_started" | "plan_rejected" | "planned">): TickState {
  switch (event.type) {
    case "plan_started": {
      const orchestratorCalls = state.orchestratorCalls + 1;
      return at(state, ["plan"], { phase: "orchestrate", planning: event, orchestratorCalls });
    }
    case "plan_rejected":
      return at(state, ["orchestrate"], { phase: "plan", rejection: event, ...usedBy(state, event.usage) });
    case "planned":
      return at(state, ["plan", "orchestrate"], {
        phase: needsBuilder(event.task) ? "announce_build" : "judge",
        task: event.task,
        orchestratorCalls: event.orchestrator_calls,
        ownChecks: event.own_checks ?? 0,
        ...usedBy(state, event.usage),
      });
    default:
      return unreachable(event);
  }
}

function usedBy(
  { planUsage }: TickState,
  usage: EventOf<"plan_rejected">["usage"] | undefined,
): Pick<TickState, "planUsage"> {
  return { planUsage: usage === null || usage === undefined ? planUsage : [...planUsage, usage] };
}

function afterJudge(state: TickState, event: EventOf<"judged">): Partial<TickState> {
  const judged = { judged: event };
  if (event.code !== "SUCCESS") {
    // A session that failed said why; for every other code the findings do.
    const message = state.built?.failure?.code === event.code ? state.built.summary : null;
    return { ...judged, ...settling(state, { code: event.code, cause: event.cause, message }) };
  }
  const task = state.task;
  if (task !== null && "question" in task && task.question !== undefined) {
    return {
      ...judged,
      ...settling(state, { code: "STOP_QUESTION", cause: null, message: task.question.prompt }),
    };
  }
  // A patch was judged by what it would make of the worktree; only now may it be written there.
  const next = { ...state, ...judged };
  return { ...judged, ...(state.building?.driver === "patch" ? { phase: "write" } : beforeChecks(next)) };
}

function beforeChecks(state: TickState): Partial<TickState> {
  return hasChecks(state) ? { phase: "verify" } : checked(state, SUCCESS);
}

function afterVerify(state: TickState, event: EventOf<"verified">): Partial<TickState> {
  return { verified: event, ...checked(state, outcomeOf(event)) };
}

/** The checks are over: whoever reviews is asked now, with their results before them. */
function checked(state: TickState, outcome: Outcome): Partial<TickState> {
  return isReviewed(state, outcome.code) ? { phase: "announce_review" } : settling(state, outcome);
}

/** Reviewers can withhold their approval; what a red check says stays said, unless the tick is not to count at all. */
function afterReview(state: TickState, event: EventOf<"reviewed">): Partial<TickState> {
  const isRed = state.verified !== null && state.verified.code !== null;
  const decides = isRed && event.code !== "STOP_RATE_LIMITED" ? state.verified : event;
  return { reviewed: event, ...settling(state, outcomeOf(decides)) };
}

function settling(state: TickState, outcome: Outcome): Partial<TickState> {
  return { phase: "announce_settle", outcome, action: settleAction(state, outcome.code) };
}

function refusal({ code, cause, message }: EventOf<"refused">): Outcome {
  return { code, cause, message };
}

/** Where somebody may have touched the repository it has to be put back first. */
function ending(state: TickState, outcome: Outcome): Partial<TickState> {
  const touched = state.building !== null || state.orchestratorCalls > 0;
  return touched ? settling(state, outcome) : { phase: "report", outcome };
}

function failedRollback(event: EventOf<"rollback_failed">): Partial<TickState> {
  const { message } = event;
  const outcome = { code: "BLOCKED_ROLLBACK_FAILED", cause: null, message } as const;
  return { phase: "report", rollbackFailure: event, outcome };
}

function settle(state: TickState, event: EventOf<"settled">): TickState {
  return state.phase === "done"
    ? recovered(state, event)
    : at(state, ["settle"], { phase: "report", settled: event });
}

/** A rollback that had failed was brought to its end afterwards. */
function recovered(state: TickState, event: EventOf<"settled">): TickState {
  if (state.rollbackFailure === null) throw new InvariantError("a tick is settled twice");
  return { ...state, settled: event, rollbackFailure: null };
}

/** Nothing more is put back. What is known of the tick stays, and its end can be recorded. */
function abandoned(state: TickState, { message }: EventOf<"abandoned">): TickState {
  if (state.phase !== "done")
    return { ...state, phase: "end", outcome: { code: "STOP_INTERRUPTED", cause: "abandoned", message } };
  if (state.rollbackFailure === null) throw new InvariantError("a tick that is over is abandoned");
  return { ...state, rollbackFailure: null };
}

const SEALED: readonly Phase[] = ["report", "end", "done"];

/** Nothing is undone once it is settled; a rollback that was cut short is done again, for its own reason. */
function interrupted(state: TickState, event: EventOf<"interrupted">): TickState {
  if (SEALED.includes(state.phase)) return state;
  const outcome = { code: event.code, cause: event.cause, message: event.message };
  if (state.prepared === null) return { ...state, phase: "report", outcome };
  const wasRollingBack = state.action === "rollback" && state.outcome !== null;
  return {
    ...state,
    phase: "announce_settle",
    action: "rollback",
    outcome: wasRollingBack ? state.outcome : outcome,
  };
}
