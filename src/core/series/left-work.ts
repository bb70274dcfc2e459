/**
 * What a tick leaves for the next one that was paid for and not settled.
 *
 * A session that came to its end in a tick that was cut short has finished work: nobody is called for it again. A session
 * that was ended by a limit has unfinished work: the next attempt begins from it.
 */
import type { TickEvent } from "../../contract/journal/event.ts";
import { findBuilding, findBuilt, findJudgement, findOutcome, findSettled } from "../tick/tick-facts.ts";
import type { TickState } from "../tick/tick-state.ts";

/** The work of a session that came to its end in a tick that did not. */
export interface FinishedWork {
  readonly runId: string;
  /** Where its change is kept; null where it changed nothing. */
  readonly salvage: string | null;
  readonly building: Pick<Extract<TickEvent, { type: "build_started" }>, "driver" | "sandbox">;
  readonly built: Pick<
    Extract<TickEvent, { type: "build_ended" }>,
    "builder_output_valid" | "summary" | "data" | "notes"
  >;
}

/** What the session of this tick had finished, if recovery could keep all of it; null where it had not. */
export function findFinishedWork(runId: string, state: TickState): FinishedWork | null {
  const [built, building, settled] = [findBuilt(state), findBuilding(state), findSettled(state)];
  if (built === null || built.failure !== null || building === null || settled?.whole !== true) return null;
  const { driver, sandbox } = building;
  const { builder_output_valid, summary, data, notes } = built;
  return {
    runId,
    salvage: settled.salvage,
    building: { driver, sandbox },
    built: {
      builder_output_valid,
      summary,
      ...(data === undefined ? {} : { data }),
      ...(notes === undefined ? {} : { notes }),
    },
  };
}

/** What a session had done when a limit ended it. */
export interface UnfinishedWork {
  /** Where it is kept. */
  readonly salvage: string;
  /** How large it is; a session that adds nothing to it does not get on. Null where nobody measured. */
  readonly size: string | null;
}

/** The limits of a session: its turns, its time, its output and its money. */
export const LIMIT_CAUSES: readonly string[] = [
  "max_turns",
  "timeout",
  "idle_timeout",
  "output_limit",
  "budget_exceeded",
];

/** What the session of this tick had done when a limit ended it; null where none did or nothing is kept. */
export function findUnfinishedWork(state: TickState): UnfinishedWork | null {
  const salvage = findSettled(state)?.salvage ?? null;
  if (salvage === null || !isEndedByLimit(state)) return null;
  const judged = findJudgement(state);
  const size = judged === null ? null : JSON.stringify([judged.blast_radius, judged.touched_paths]);
  return { salvage, size };
}

/** Work that broke a rule has another code, and is not gone on with. */
function isEndedByLimit(state: TickState): boolean {
  const [outcome, building, built] = [findOutcome(state), findBuilding(state), findBuilt(state)];
  if (outcome?.code === "STOP_TICK_TIMEOUT") return building !== null && built === null;
  const failure = built?.failure ?? null;
  if (failure === null || outcome === null || outcome.code !== failure.code) return false;
  return LIMIT_CAUSES.includes(failure.cause);
}
