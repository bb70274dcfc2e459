import { InvariantError } from "../../contract/values/invariant.ts";
import type { Phase, TickState } from "./tick-state.ts";

/** The next state, provided that the event is one that this phase can take. */
export function at(state: TickState, phases: readonly Phase[], next: Partial<TickState>): TickState {
  if (!phases.includes(state.phase))
    throw new InvariantError(`an event for ${phases.join(" or ")} in ${state.phase}`);
  return { ...state, ...next };
}
