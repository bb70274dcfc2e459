import type { TickEvent } from "../../contract/journal/event.ts";
import { isOfSeries } from "./is-of-series.ts";
import { findSettled } from "./tick-facts.ts";
import type { EventOf, StateIn } from "./tick-state.ts";

type Done = StateIn<"done">;

/** What happens once the tick is over, mostly decisions of a person. Null where it cannot happen to this tick. */
export function evolveAfterEnd(state: Done, event: TickEvent): Done | null {
  if (isOfSeries(event)) return state;
  if (event.type === "pruned") return { ...state, isPruned: true };
  if (event.type === "answered") return state.outcome.code === "STOP_QUESTION" ? state : null;
  if (event.type === "undone" || event.type === "accepted") return decided(state, event);
  // A rollback that had failed was brought to its end afterwards.
  const isFailed = state.settlement?.type === "rollback_failed";
  return event.type === "settled" && isFailed ? { ...state, settlement: event } : null;
}

/** A change that was kept is committed at most once and taken back at most once, and then nothing more is decided. */
function decided(state: Done, event: EventOf<"undone" | "accepted">): Done | null {
  const action = findSettled(state)?.action ?? "rollback";
  if (action === "rollback" || state.isUndone) return null;
  if (event.type === "undone") return { ...state, isUndone: true };
  return action === "commit" || state.accepted !== null ? null : { ...state, accepted: event };
}
