import type { WaitingThing } from "../../contract/answers/status.ts";
import { findUnfinishedWork } from "../../core/series/left-work.ts";
import type { TickRecord } from "../../core/tick/tick-records.ts";

/** The salvaged work of the last tick, if a limit ended its session. */
export function listUnfinishedWork({ runId, state }: TickRecord): readonly WaitingThing[] {
  if (findUnfinishedWork(state) === null) return [];
  const what = `the work of ${runId}, ended by a limit`;
  return [{ kind: "salvage", what, command: `relais salvage apply ${runId}` }];
}
