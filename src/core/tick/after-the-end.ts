import type { TickEvent } from "../../contract/journal/event.ts";
import { InvariantError, unreachable } from "../../contract/values/invariant.ts";
import { at } from "./at-phase.ts";
import type { TickState } from "./tick-state.ts";

type EventOf<T extends TickEvent["type"]> = Extract<TickEvent, { type: T }>;

/** What a person decides once the tick is over. */
export function afterTheEnd(
  state: TickState,
  event: EventOf<"accepted" | "undone" | "answered" | "pruned">,
): TickState {
  switch (event.type) {
    case "accepted":
      return decided(state, { accepted: event });
    case "undone":
      return decided(state, { isUndone: true });
    case "answered":
      if (state.outcome?.code !== "STOP_QUESTION") throw new InvariantError("an answer without a question");
      return at(state, ["done"], {});
    case "pruned":
      return at(state, ["done"], { isPruned: true });
    default:
      return unreachable(event);
  }
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
