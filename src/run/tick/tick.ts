/**
 * One tick, from its first event to its last.
 *
 * The loop is the only way through and the only way out. Each event is on disk before the state that it leads to is
 * used, so that a crash costs at most the effect that was under way, and the journal says which one that was.
 */
import type { TickEvent } from "../../contract/journal/event.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { RollbackError } from "../../contract/values/rollback-error.ts";
import { describeError } from "../../contract/values/describe-error.ts";
import { decide, type Effect } from "../../core/tick/decide.ts";
import { evolve } from "../../core/tick/evolve.ts";
import { type Phase, START, type TickState } from "../../core/tick/tick-state.ts";

/** All that a tick may ask of the world. */
export interface TickPorts {
  readonly perform: (effect: Effect) => Promise<TickEvent>;
  /** Answers with what stands in the journal now: the event, and at times another one that its writing led to. */
  readonly record: (event: TickEvent) => Promise<readonly TickEvent[]>;
  /** A signal or a deadline that has come meanwhile. */
  readonly interruption: () => TickEvent | null;
}

/** Runs a tick to its end, or finishes one that was cut short: `past` is its journal so far. */
export async function runTick(ports: TickPorts, past: readonly TickEvent[]): Promise<TickState> {
  let state = past.reduce(evolve, START);
  while (state.phase !== "done") {
    const event = findInterruption(ports, state) ?? (await attempt(ports, state));
    state = (await ports.record(event)).reduce(evolve, state);
  }
  return state;
}

/** From the moment that an outcome stands, nothing but a crash keeps it from being settled and reported. */
const INTERRUPTIBLE: readonly Phase[] = [
  "preflight",
  "prepare",
  "plan",
  "orchestrate",
  "announce_build",
  "build",
  "judge",
  "write",
  "verify",
  "announce_review",
  "review",
];

function findInterruption(ports: TickPorts, state: TickState): TickEvent | null {
  return INTERRUPTIBLE.includes(state.phase) ? ports.interruption() : null;
}

async function attempt(ports: TickPorts, state: TickState): Promise<TickEvent> {
  const effect = decide(state);
  if (effect.do === "record") return effect.event;
  try {
    return await ports.perform(effect);
  } catch (error) {
    if (error instanceof InvariantError) throw error;
    // What came meanwhile is why it failed: its processes were stopped under it.
    return findInterruption(ports, state) ?? describeFailure(effect, error);
  }
}

/** What an effect that threw means. A failed measurement stops the tick; a failed rollback stops everything. */
function describeFailure(effect: Effect, error: unknown): TickEvent {
  const message = describeError(error);
  if (effect.do === "settle" && effect.state.action === "rollback") {
    const differences = error instanceof RollbackError ? error.differences.slice(0, 200) : [];
    return { type: "rollback_failed", message, differences: [...differences] };
  }
  if (effect.do === "report") return { type: "reported", report_sha256: null };
  const cause = error instanceof MeasurementError ? "measurement_failed" : `${effect.do}_failed`;
  return { type: "interrupted", code: "STOP_INTERRUPTED", cause, message };
}
