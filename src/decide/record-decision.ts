import type { TickEvent } from "../records/event.ts";
import type { TickRecord } from "../tick/pure/tick-records.ts";
import { publishLines } from "../workspace/publish.ts";
import type { LockedWorkspace } from "../workspace/workspace.ts";
import { appendEvent } from "../workspace/append-event.ts";

/** Writes a decision about a tick into the journal and publishes it; answers with what could not be published. */
export async function recordDecision(
  workspace: LockedWorkspace,
  record: TickRecord,
  event: TickEvent,
): Promise<readonly string[]> {
  await appendEvent(workspace.journal, record, event);
  return publishLines(workspace);
}
