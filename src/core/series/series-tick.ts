import { CODES, type Code } from "../../contract/codes.ts";
import type { Task } from "../../contract/task.ts";
import type { TickRecord } from "../tick/tick-records.ts";

/** What a series remembers of one of its ticks. */
export interface SeriesTick {
  readonly runId: string;
  readonly code: Code;
  readonly cause: string | null;
  readonly message: string | null;
  /** Null where the tick ended before there was a task. */
  readonly task: Task | null;
  /** False where the tick cost nothing, as after a rate limit. */
  readonly isCounted: boolean;
  /** Whether it left anything behind: a change that was kept. */
  readonly changed: boolean;
}

/** The ticks that are over, in their order. */
export function seriesTicks(records: readonly TickRecord[]): readonly SeriesTick[] {
  return records.flatMap(({ runId, state, events }) => {
    const { outcome, task, settled, judged } = state;
    const ended = events.find((event) => event.type === "tick_ended");
    if (outcome === null || ended === undefined) return [];
    const kept = settled !== null && settled.action !== "rollback";
    return [
      {
        runId,
        ...outcome,
        task,
        isCounted: ended.counted,
        changed: kept && (judged?.blast_radius.files_touched ?? 0) > 0,
      },
    ];
  });
}

export function isGreen({ code }: SeriesTick): boolean {
  return CODES[code].verdict === "success";
}
