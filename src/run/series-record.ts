import type { TickEvent } from "../contract/event.ts";
import { InvariantError } from "../contract/invariant.ts";
import { currentTimeMs } from "../io/clock.ts";
import type { Journal } from "../io/journal.ts";

/** A series and the journal that tells of it. */
export interface RecordedSeries {
  readonly journal: Journal;
  readonly seriesId: string;
}

/** Records something about the series behind its last tick, which must be there. */
export async function recordOfSeries({ journal, seriesId }: RecordedSeries, event: TickEvent): Promise<void> {
  const last = journal.lines().findLast(({ series_id }) => series_id === seriesId);
  if (last === undefined) throw new InvariantError("a series without a tick");
  const at = new Date(currentTimeMs()).toISOString();
  await journal.append({ at, run_id: last.run_id, series_id: seriesId, event });
}
