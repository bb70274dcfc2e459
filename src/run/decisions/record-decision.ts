import type { TickEvent } from "../../contract/journal/event.ts";
import type { TickRecord } from "../../core/tick/tick-records.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { publishLines } from "../workspace/publish.ts";
import type { LockedWorkspace } from "../workspace/workspace.ts";

/** Writes a decision about a tick into the journal and publishes it; answers with what could not be published. */
export async function recordDecision(
  workspace: LockedWorkspace,
  { runId: run_id, seriesId: series_id }: TickRecord,
  event: TickEvent,
): Promise<readonly string[]> {
  const at = new Date(readClockMs()).toISOString();
  await workspace.journal.append({ at, run_id, series_id, event });
  return publishLines(workspace);
}
