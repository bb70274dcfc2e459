/**
 * `relais stop`: ends the process that holds the locks, as a signal does. Its tick is reverted and kept in salvage.
 */
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import type { StoppedRunner } from "../records/decisions.ts";
import type { Lock } from "../records/lock.ts";
import { unreachable } from "../base/errors.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { findSettled } from "../tick/pure/tick-facts.ts";
import { askToEnd } from "../process/ask-to-end.ts";
import { withSnapshot } from "./with-snapshot.ts";
import type { WorkspaceRequest } from "./workspace.ts";
import { findHolder, findOtherRunner, nameRunner, refuseIdle } from "./pause-runner.ts";

/** Ends the running relais and waits until it is gone. In the runner's own process, send a signal instead. */
export async function stopRunner(request: WorkspaceRequest, seen?: string): Promise<StoppedRunner | CommandFailure> {
  const found = await withSnapshot(request, async (snapshot) => {
    const holder = await findHolder(snapshot);
    if (holder === null) return refuseIdle();
    const other = findOtherRunner(holder, seen);
    if (other !== null) return other;
    return { kind: "holder" as const, holder, described: nameRunner(snapshot, holder) };
  });
  if (found.kind !== "holder") return found;
  const refusal = await endHolder(found.holder, request.signal, "relais status");
  if (refusal !== null) return refusal;
  // Another tick may have started in between.
  return withSnapshot(request, ({ lines }) => {
    const runId = lines.findLast(({ at }) => at >= found.holder.started_at)?.run_id ?? found.described.runId;
    const settled = findSettled(findTickRecord(lines, runId)?.state ?? { phase: "start" });
    return { kind: "stopped", ...found.described, runId, salvage: settled?.salvage ?? null };
  });
}

/** Null once exactly this process is gone. */
export async function endHolder(
  holder: Lock,
  signal: AbortSignal /** The command that shows when it has stopped. */,
  status: string,
): Promise<Refusal | null> {
  const { pid, process_start, boot_id, host, pid_namespace } = holder;
  const identity = { pid, processStart: process_start, bootId: boot_id, host, pidNamespace: pid_namespace };
  const end = await askToEnd(identity, signal);
  switch (end) {
    case "ended":
      return null;
    case "refused":
      return refuseStillRunning(status, `The process ${pid} cannot be stopped from here (no permission).`);
    case "late":
      return refuseStillRunning(status, `The process ${pid} is still stopping.`);
    default:
      return unreachable(end);
  }
}

function refuseStillRunning(status: string, message: string): Refusal {
  return refuse({ cause: "still_running", message, next: `\`${status}\` shows when it has stopped.` });
}
