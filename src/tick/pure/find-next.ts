import { CODES } from "../../base/codes.ts";
import type { TickEvent } from "../../records/event.ts";
import { InvariantError } from "../../base/errors.ts";
import type { EventOf, Outcome, TickState } from "./tick-state.ts";

/** A state in which something is to be done in the world: its phase names the step. */
export type Step = Exclude<TickState, { readonly phase: "start" | "announce_settle" | "end" | "done" }>;

/** What comes next: an event that is only to be recorded, or a step. With `evolve`, this is all control flow of a tick. */
export function findNext(state: TickState): { readonly event: TickEvent } | { readonly step: Step } {
  if (state.phase === "announce_settle") return { event: { type: "settle_started", action: state.action } };
  if (state.phase === "end") return { event: endTick(state.outcome) };
  if (state.phase === "start" || state.phase === "done")
    throw new InvariantError(`nothing is to be done in ${state.phase}`);
  return { step: state };
}

export function endTick({ code, cause }: Outcome): EventOf<"tick_ended"> {
  return {
    type: "tick_ended",
    verdict: CODES[code].verdict,
    code,
    cause,
    counted: code !== "STOP_RATE_LIMITED" && cause !== UNANSWERED,
  };
}

/** The cause of a tick that did not start, because the question of an earlier one is open. */
export const UNANSWERED = "unanswered";
