import { CODES } from "../../base/codes.ts";
import type { TickEvent } from "../../records/event.ts";
import { InvariantError, unreachable } from "../../base/errors.ts";
import type { EventOf, Outcome, StateIn, TickState } from "./tick-state.ts";

/** `record` only writes its event: it announces the next step. */
export type Effect =
  | { readonly do: "preflight" | "prepare" | "write" }
  | StepOf<"plan" | "orchestrate" | "baseline" | "announce_build" | "build" | "judge" | "verify">
  | StepOf<"announce_review" | "review" | "announce_ask" | "ask" | "settle" | "report">
  | { readonly do: "record"; readonly event: TickEvent };

type StepPhase = Exclude<TickState["phase"], "start" | "announce_settle" | "end" | "done">;
type StepOf<P extends StepPhase> = P extends StepPhase ? { readonly do: P; readonly state: StateIn<P> } : never;

/** All control flow of a tick is here and in `evolve`. */
export function decide(state: TickState): Effect {
  switch (state.phase) {
    case "preflight":
    case "prepare":
    case "write":
      return { do: state.phase };
    case "plan":
      return { do: "plan", state };
    case "orchestrate":
      return { do: "orchestrate", state };
    case "baseline":
      return { do: "baseline", state };
    case "announce_build":
      return { do: "announce_build", state };
    case "build":
      return { do: "build", state };
    case "judge":
      return { do: "judge", state };
    case "verify":
      return { do: "verify", state };
    case "announce_review":
      return { do: "announce_review", state };
    case "review":
      return { do: "review", state };
    case "announce_ask":
      return { do: "announce_ask", state };
    case "ask":
      return { do: "ask", state };
    case "announce_settle":
      return { do: "record", event: { type: "settle_started", action: state.action } };
    case "settle":
      return { do: "settle", state };
    case "report":
      return { do: "report", state };
    case "end":
      return { do: "record", event: endTick(state.outcome) };
    case "start":
    case "done":
      throw new InvariantError(`nothing is to be done in ${state.phase}`);
    default:
      return unreachable(state);
  }
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
