import type { TickEvent } from "../../contract/journal/event.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import type { LiveListener } from "../../contract/journal/live-event.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import type { LockedWorkspace } from "../workspace/workspace.ts";
import { emitRecorded } from "../tick/emit-recorded.ts";

export interface RecordedSeries {
  readonly seriesId: string;
  readonly request: { readonly emit?: LiveListener };
  readonly workspace: Pick<LockedWorkspace, "config" | "journal">;
}

/** Records an event of the series after its last tick, which must exist. */
export async function recordSeriesEvent(
  { seriesId, request, workspace: { journal, config } }: RecordedSeries,
  event: TickEvent,
): Promise<void> {
  const last = journal.lines().findLast(({ series_id }) => series_id === seriesId);
  if (last === undefined) throw new InvariantError("a series without a tick");
  const at = new Date(readClockMs()).toISOString();
  const line = await journal.append({ at, run_id: last.run_id, series_id: seriesId, event });
  emitRecorded(request.emit, { line, journal, budgets: config.budgets });
}
