/**
 * One tick, from its first event to its last.
 *
 * Each event is on disk before the state that it leads to is used, so that a crash costs at most the current step, and
 * the journal names it.
 */
import type { TickEvent } from "../records/event.ts";
import { describeError, InvariantError, MeasurementError } from "../base/errors.ts";
import { RollbackError } from "../base/rollback-error.ts";
import { findNext, type Step } from "./pure/find-next.ts";
import { evolve } from "./pure/evolve.ts";
import { type Phase, START, type TickState } from "./pure/tick-state.ts";

export interface TickPorts {
  readonly perform: (step: Step) => Promise<TickEvent>;
  /** Answers with the recorded events: at times there is another one after it. */
  readonly record: (event: TickEvent) => Promise<readonly TickEvent[]>;
  /** A signal or the deadline. */
  readonly interruption: () => TickEvent | null;
}

/** Runs a tick, or finishes an interrupted one: `past` are its events so far. */
export async function runTick(ports: TickPorts, past: readonly TickEvent[]): Promise<TickState> {
  let state = past.reduce(evolve, START);
  while (state.phase !== "done") {
    const event = findInterruption(ports, state) ?? (await attempt(ports, state));
    state = (await ports.record(event)).reduce(evolve, state);
  }
  return state;
}

/** Once there is an outcome, only a crash can keep it from being settled and reported. */
const UNINTERRUPTIBLE: readonly Phase[] = ["start", "announce_settle", "settle", "report", "end", "done"];

function findInterruption(ports: TickPorts, state: TickState): TickEvent | null {
  return UNINTERRUPTIBLE.includes(state.phase) ? null : ports.interruption();
}

async function attempt(ports: TickPorts, state: TickState): Promise<TickEvent> {
  const next = findNext(state);
  if ("event" in next) return next.event;
  try {
    return await ports.perform(next.step);
  } catch (error) {
    if (error instanceof InvariantError) throw error;
    // An interruption explains the failure: it stops the processes of the step.
    return findInterruption(ports, state) ?? describeFailure(next.step, error);
  }
}

/** A failed measurement stops the tick; a failed rollback stops everything. */
function describeFailure(step: Step, error: unknown): TickEvent {
  const message = describeError(error);
  if (step.phase === "settle" && step.action === "rollback") {
    const differences = error instanceof RollbackError ? error.differences.slice(0, 200) : [];
    return { type: "rollback_failed", message, differences: [...differences] };
  }
  if (step.phase === "report") return { type: "reported", report_sha256: null };
  const cause = error instanceof MeasurementError ? "measurement_failed" : `${step.phase}_failed`;
  return { type: "interrupted", code: "STOP_INTERRUPTED", cause, message };
}
