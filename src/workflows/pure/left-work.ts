/**
 * Work that was paid for and not settled. A finished session of an interrupted tick is not repeated. After a session
 * that a limit ended, the next one starts from its work.
 */
import type { WaitingThing } from "../../records/status-answers.ts";
import type { TickRecord } from "../../tick/pure/tick-records.ts";
import type { TickEvent } from "../../records/event.ts";
import { findBuilding, findBuilt, findJudgement, findOutcome, findSettled } from "../../tick/pure/tick-facts.ts";
import type { TickState } from "../../tick/pure/tick-state.ts";

/** The work of a finished session in an unfinished tick. */
export interface FinishedWork {
  readonly runId: string;
  /** Null if it changed nothing. */
  readonly salvage: string | null;
  readonly building: Pick<Extract<TickEvent, { type: "build_started" }>, "driver" | "sandbox">;
  readonly built: Pick<
    Extract<TickEvent, { type: "build_ended" }>,
    "builder_output_valid" | "summary" | "data" | "notes"
  >;
}

/** Null if the session had not finished, or recovery could not keep all of its work. */
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

export interface UnfinishedWork {
  readonly salvage: string;
  /** A session that does not change the size made no progress. Null if it was not measured. */
  readonly size: string | null;
}

/** The limits of a session: turns, time, output and money. */
export const LIMIT_CAUSES: readonly string[] = [
  "max_turns",
  "timeout",
  "idle_timeout",
  "output_limit",
  "budget_exceeded",
];

/** Null if no limit ended the session, or nothing was kept. */
export function findUnfinishedWork(state: TickState): UnfinishedWork | null {
  const salvage = findSettled(state)?.salvage ?? null;
  if (salvage === null || !isEndedByLimit(state)) return null;
  const judged = findJudgement(state);
  const size = judged === null ? null : JSON.stringify([judged.blast_radius, judged.touched_paths]);
  return { salvage, size };
}

/** Work that broke a rule has another code and is not continued. */
function isEndedByLimit(state: TickState): boolean {
  const [outcome, building, built] = [findOutcome(state), findBuilding(state), findBuilt(state)];
  if (outcome?.code === "STOP_TICK_TIMEOUT") return building !== null && built === null;
  const failure = built?.failure ?? null;
  if (failure === null || outcome === null || outcome.code !== failure.code) return false;
  return LIMIT_CAUSES.includes(failure.cause);
}

/** The salvaged work of the last tick, if a limit ended its session. */
export function listUnfinishedWork({ runId, state }: TickRecord): readonly WaitingThing[] {
  if (findUnfinishedWork(state) === null) return [];
  const what = `the work of ${runId}, ended by a limit`;
  return [{ kind: "salvage", what, command: `relais salvage apply ${runId}` }];
}
