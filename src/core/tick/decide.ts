import { CODES } from "../../contract/values/codes.ts";
import type { SettleAction, TickEvent } from "../../contract/journal/event.ts";
import { InvariantError, unreachable } from "../../contract/values/invariant.ts";
import type { Phase, TickState } from "./tick-state.ts";

/** What is to be done next. `record` only writes its event: it announces what comes after it. */
export type Effect =
  | {
      readonly do: Exclude<Phase, "start" | "announce_settle" | "settle" | "end" | "done">;
    }
  | { readonly do: "settle"; readonly action: SettleAction }
  | { readonly do: "record"; readonly event: TickEvent };

/** The next thing to do in this state. All control flow of a tick is here and in `evolve`. */
export function decide(state: TickState): Effect {
  switch (state.phase) {
    case "preflight":
    case "prepare":
    case "plan":
    case "orchestrate":
    case "announce_build":
    case "build":
    case "judge":
    case "write":
    case "verify":
    case "announce_review":
    case "review":
    case "report":
      return { do: state.phase };
    case "announce_settle":
      return { do: "record", event: { type: "settle_started", action: actionOf(state) } };
    case "settle":
      return { do: "settle", action: actionOf(state) };
    case "end":
      return { do: "record", event: tickEnded(state) };
    case "start":
    case "done":
      throw new InvariantError(`nothing is to be done in ${state.phase}`);
    default:
      return unreachable(state.phase);
  }
}

function actionOf({ action }: TickState): SettleAction {
  if (action === null) throw new InvariantError("a tick is settled without an action");
  return action;
}

/** The last event of a tick, which follows from its outcome alone. */
export function tickEnded({ outcome }: TickState): Extract<TickEvent, { type: "tick_ended" }> {
  if (outcome === null) throw new InvariantError("a tick ended without an outcome");
  const { code, cause } = outcome;
  return {
    type: "tick_ended",
    verdict: CODES[code].verdict,
    code,
    cause,
    counted: code !== "STOP_RATE_LIMITED",
  };
}
