import type { JournalLine, TickEvent } from "../records/event.ts";
import type { Journal } from "../journal/journal.ts";
import { readClockMs } from "../system/clock.ts";

export interface TickIds {
  readonly runId: string;
  readonly seriesId: string;
}

export function appendEvent(journal: Journal, { runId, seriesId }: TickIds, event: TickEvent): Promise<JournalLine> {
  return journal.append({ at: new Date(readClockMs()).toISOString(), run_id: runId, series_id: seriesId, event });
}
