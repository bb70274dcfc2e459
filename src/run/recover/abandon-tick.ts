import type { TickEvent } from "../../contract/journal/event.ts";
import { decide } from "../../core/tick/decide.ts";
import { findTickRecord } from "../../core/tick/tick-records.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import type { Journal } from "../../io/journal/journal.ts";

export interface Abandonment {
  readonly runId: string;
  readonly seriesId: string;
  readonly message: string;
}

/** Records that a person abandoned a tick. Nothing in the repository is touched. */
export async function abandonTick(journal: Journal, { runId, seriesId, message }: Abandonment): Promise<void> {
  const append = (event: TickEvent) =>
    journal.append({
      at: new Date(readClockMs()).toISOString(),
      run_id: runId,
      series_id: seriesId,
      event,
    });
  await append({ type: "abandoned", message });
  const state = findTickRecord(journal.lines(), runId)?.state;
  if (state === undefined || state.phase === "done") return;
  const effect = decide(state);
  if (effect.do === "record") await append(effect.event);
}
