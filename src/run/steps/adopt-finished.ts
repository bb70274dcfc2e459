/**
 * Adopts the finished work of an interrupted tick, so that no session is paid twice for it.
 *
 * The change comes from salvage and is judged, checked and settled as if it had just been
 * made. If the same files were changed since, the tick stops.
 */
import { join } from "node:path";
import type { TickEvent } from "../../contract/journal/event.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import type { FinishedWork } from "../../core/series/left-work.ts";
import { FINISHED_WORK_LOST } from "../../core/workflow/workflow.ts";
import type { BuilderWords } from "../../core/workflow/builder-brief.ts";
import { writeAtomic } from "../../io/files/atomic-file.ts";
import { readBounded } from "../../io/files/bounded-file.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { locateRunDirectory } from "../../io/workspace/run-directory.ts";
import { createDispatch } from "../../io/files/drop-folder.ts";
import { type AppliedSalvage, applySalvage } from "../keep/salvage.ts";
import { locateProposalFile } from "./take-proposals.ts";
import type { RunningSession } from "../session/tick-session.ts";

type Proposals = BuilderWords["proposals"];

export function announceFinished({ runId, building }: FinishedWork): TickEvent {
  return { type: "build_started", ...building, dispatch: createDispatch(), kept: runId };
}

export async function adoptFinished(
  session: RunningSession,
  { runId, salvage, built }: FinishedWork,
): Promise<TickEvent> {
  const { repository, store, stateDirectory } = session;
  const startedAt = readClockMs();
  const applied = salvage === null ? null : await applySalvage({ repository, store, stateDirectory, runId: salvage });
  session.memory.proposals = await copyProposals(session, runId);
  const duration_ms = Math.max(0, Math.round(readClockMs() - startedAt));
  const ended = { type: "build_ended", duration_ms, usage: null } as const;
  if (applied === null || applied.kind === "applied") return { ...ended, ...built, failure: null };
  return {
    ...ended,
    failure: { code: "STOP_INTERRUPTED", cause: FINISHED_WORK_LOST },
    builder_output_valid: null,
    summary: explainLost(applied),
  };
}

/** A copy stays with this tick, which may be interrupted, too. */
async function copyProposals(
  { work, stateDirectory, runDirectory }: RunningSession,
  runId: string,
): Promise<Proposals> {
  const folder = locateRunDirectory(stateDirectory, runId);
  const proposals = new Map<string, Uint8Array>();
  for (const [name, bytesMax] of Object.entries(work.brief.proposals)) {
    const file = locateProposalFile(name);
    const left = await readBounded(join(folder, file), bytesMax);
    if (left.kind !== "read") continue;
    await writeAtomic(join(runDirectory, file), left.data, { mode: 0o600 });
    proposals.set(name, left.data);
  }
  return proposals;
}

function explainLost(applied: Exclude<AppliedSalvage, { kind: "applied" }>): string {
  switch (applied.kind) {
    case "conflict":
      return `The finished work does not apply any more: ${applied.paths.slice(0, 5).join(", ")} changed.`;
    case "damaged":
      return `The finished work cannot be read: ${applied.reason}.`;
    case "missing":
      return "The finished work is lost.";
    default:
      return unreachable(applied);
  }
}
