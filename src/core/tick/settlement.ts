import { findSettled } from "./tick-facts.ts";
import type { TickState } from "./tick-state.ts";

/** Where the change of a tick is by now. */
export interface Settlement {
  /** Whether it was committed, by the tick itself or by a person's decision afterwards. */
  readonly isCommitted: boolean;
  /** Null where there was nothing that git could commit. */
  readonly commit: string | null;
  readonly branch: string | null;
}

export function findSettlement(state: TickState): Settlement {
  const settled = findSettled(state);
  const accepted = state.phase === "done" ? state.accepted : null;
  const { commit, branch } = accepted ?? settled ?? { commit: null, branch: null };
  return { isCommitted: accepted !== null || settled?.action === "commit", commit, branch };
}
