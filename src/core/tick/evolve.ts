import type { SettleAction, TickEvent } from "../../contract/event.ts";
import { InvariantError, unreachable } from "../../contract/invariant.ts";
import type { Task } from "../../contract/task.ts";
import type { Outcome, Phase, TickState } from "./tick-state.ts";

type EventOf<T extends TickEvent["type"]> = Extract<TickEvent, { type: T }>;

/** Folds one event into the tick. An event that its phase cannot take is a bug, not an outcome. */
export function evolve(state: TickState, event: TickEvent): TickState {
  switch (event.type) {
    case "tick_started":
      return at(state, ["start"], { phase: "preflight", started: event });
    case "refused":
      return at(state, ["preflight", "plan", "build"], ending(state, refusal(event)));
    case "preflight_passed":
      return at(state, ["preflight"], { phase: "prepare", base: event });
    case "prepared":
      return at(state, ["prepare"], { phase: "plan", prepared: event });
    case "planned":
      return at(state, ["plan"], {
        phase: needsBuilder(event.task) ? "announce_build" : "judge",
        task: event.task,
        orchestratorCalls: event.orchestrator_calls,
      });
    case "build_started":
      return at(state, ["announce_build"], { phase: "build", building: event });
    case "build_ended":
      return at(state, ["build"], { phase: "judge", built: event });
    case "judged":
      return at(state, ["judge"], afterJudge(state, event));
    case "verified":
      return at(state, ["verify"], afterVerify(state, event));
    case "reviewed":
      return state;
    case "settle_started":
      return at(state, ["announce_settle"], { phase: "settle", action: event.action });
    case "settled":
      return settle(state, event);
    case "rollback_failed":
      return at(state, ["settle"], rollbackFailed(event));
    case "interrupted":
      return interrupted(state, event);
    case "reported":
      return at(state, ["report"], { phase: "end" });
    case "tick_ended":
      return at(state, ["end"], { phase: "done" });
    case "accepted":
      return decided(state, { accepted: event });
    case "undone":
      return decided(state, { isUndone: true });
    case "pruned":
      return at(state, ["done"], { isPruned: true });
    default:
      return unreachable(event);
  }
}

function at(state: TickState, phases: readonly Phase[], next: Partial<TickState>): TickState {
  if (!phases.includes(state.phase))
    throw new InvariantError(`an event for ${phases.join(" or ")} in ${state.phase}`);
  return { ...state, ...next };
}

/** Whether somebody has to be called to do the task. */
function needsBuilder(task: Task): boolean {
  return "builder" in task && task.builder !== undefined;
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
  return hasChecks(task) ? { ...judged, phase: "verify" } : { ...judged, ...settling(state, success()) };
}

function hasChecks(task: Task | null): boolean {
  if (task === null || !("verification" in task) || task.verification === undefined) return false;
  return task.verification.fast.length + task.verification.slow.length > 0;
}

function afterVerify(state: TickState, event: EventOf<"verified">): Partial<TickState> {
  const outcome = event.code === null ? success() : { code: event.code, cause: event.cause, message: null };
  return { verified: event, ...settling(state, outcome) };
}

function success(): Outcome {
  return { code: "SUCCESS", cause: null, message: null };
}

function settling(state: TickState, outcome: Outcome): Partial<TickState> {
  return { phase: "announce_settle", outcome, action: actionFor(state, outcome) };
}

/** Only a green tick is kept; everything else is put back. */
function actionFor(state: TickState, outcome: Outcome): SettleAction {
  return outcome.code === "SUCCESS" ? (state.started?.on_success ?? "accept") : "rollback";
}

function refusal({ code, cause, message }: EventOf<"refused">): Outcome {
  return { code, cause, message };
}

/** Where somebody may have touched the repository it has to be put back first. */
function ending(state: TickState, outcome: Outcome): Partial<TickState> {
  const touched = state.building !== null || state.orchestratorCalls > 0;
  return touched ? settling(state, outcome) : { phase: "report", outcome };
}

function rollbackFailed(event: EventOf<"rollback_failed">): Partial<TickState> {
  const outcome = { code: "BLOCKED_ROLLBACK_FAILED", cause: null, message: event.message } as const;
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

/** A change that was kept is committed at most once and taken back at most once, and then nothing more is decided. */
function decided(
  state: TickState,
  decision: Pick<TickState, "accepted"> | Pick<TickState, "isUndone">,
): TickState {
  const { settled, accepted, isUndone } = state;
  const isKept = settled !== null && settled.action !== "rollback" && !isUndone;
  const isCommitted = settled?.action === "commit" || accepted !== null;
  if (!isKept || ("accepted" in decision && isCommitted))
    throw new InvariantError("a decision about a change that is not there to be decided about");
  return at(state, ["done"], decision);
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
