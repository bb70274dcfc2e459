import type { JournalLine, TickEvent } from "../../contract/journal/event.ts";
import type { Journal } from "../../io/journal/journal.ts";
import { readClockMs } from "../../io/machine/clock.ts";

export interface TickIds {
  readonly runId: string;
  readonly seriesId: string;
}

export function appendEvent(journal: Journal, { runId, seriesId }: TickIds, event: TickEvent): Promise<JournalLine> {
  return journal.append({ at: new Date(readClockMs()).toISOString(), run_id: runId, series_id: seriesId, event });
}
