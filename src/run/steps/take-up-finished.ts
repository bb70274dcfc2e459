/**
 * Takes up what a session had finished in a tick that was cut short afterwards: nobody is paid for the same work twice.
 *
 * The change comes from salvage, where recovery has put it, and is judged, checked and settled as if it had just been
 * made. Where it does not fit any more, because somebody has worked on the same files since, the tick stops.
 */
import type { TickEvent } from "../../contract/journal/event.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { FINISHED_WORK_LOST, type FinishedWork } from "../../core/workflow/workflow.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { newDispatch } from "../../io/files/drop-folder.ts";
import { type AppliedSalvage, applySalvage } from "../keep/salvage.ts";
import type { TickSession } from "../session/tick-session.ts";

export function announceFinished({ runId, building }: FinishedWork): TickEvent {
  return { type: "build_started", ...building, dispatch: newDispatch(), kept: runId };
}

export async function takeUpFinished(
  session: TickSession,
  { salvage, built }: FinishedWork,
): Promise<TickEvent> {
  const { repository, store, stateDirectory } = session;
  const startedAt = currentTimeMs();
  const applied =
    salvage === null ? null : await applySalvage({ repository, store, stateDirectory, runId: salvage });
  const duration_ms = Math.max(0, Math.round(currentTimeMs() - startedAt));
  const ended = { type: "build_ended", duration_ms, usage: null } as const;
  if (applied === null || applied.kind === "applied") return { ...ended, ...built, failure: null };
  return {
    ...ended,
    failure: { code: "STOP_INTERRUPTED", cause: FINISHED_WORK_LOST },
    builder_output_valid: null,
    summary: whyLost(applied),
  };
}

function whyLost(applied: Exclude<AppliedSalvage, { kind: "applied" }>): string {
  switch (applied.kind) {
    case "conflict":
      return `What was finished before does not fit any more: ${applied.paths.slice(0, 5).join(", ")} changed since.`;
    case "damaged":
      return `What was finished before cannot be read: ${applied.reason}.`;
    case "missing":
      return "What was finished before is gone.";
    default:
      return unreachable(applied);
  }
}
