/**
 * Finds workers that are gone or late.
 *
 * A process is gone at once when the table of processes says so. One that is there but silent for longer than its lease
 * is late: it may be stopped, or on a machine that this one cannot look into.
 */
import type { WorkerIdentity } from "../../contract/queue/queue-record.ts";
import { readProcessState } from "../../io/process/process-identity.ts";
import { readBeat, removeBeat } from "../../io/queue/beats.ts";
import type { EngineParts } from "./engine-parts.ts";

interface Sighting {
  readonly beat: number | null;
  readonly sinceMs: number;
}

/** The returned function records every loss. */
export function watchWorkers(parts: EngineParts): () => Promise<void> {
  const { log } = parts;
  const sightings = new Map<string, Sighting>();

  const explainLoss = async (worker: WorkerIdentity, leaseMs: number): Promise<string | null> => {
    if (isThisProcess(parts, worker)) return null;
    if ((await readState(worker)) === "gone") return "its worker is gone";
    const silentMs = countSilence(parts, sightings, worker);
    return silentMs > leaseMs ? `its worker was silent for ${Math.round(silentMs / 1000)} s` : null;
  };

  return async () => {
    for (const { id: job, token, worker, leaseMs } of [...log.refresh().running.values()].map((row) => ({ ...row }))) {
      const why = worker === null ? null : await explainLoss(worker, leaseMs);
      if (worker === null || why === null) continue;
      log.record(({ running }) => (running.get(job)?.token === token ? { kind: "lost", job, token, why } : null));
      forgetWorker(parts, worker);
    }
  };
}

function isThisProcess({ identity }: EngineParts, { pid, birth, boot }: WorkerIdentity): boolean {
  return pid === identity.pid && birth === identity.processStart && boot === identity.bootId;
}

function readState({ pid, birth, boot, host, pid_namespace }: WorkerIdentity): ReturnType<typeof readProcessState> {
  return readProcessState({ pid, processStart: birth, bootId: boot, host, pidNamespace: pid_namespace });
}

/** By its own beats where both have the same steady clock; otherwise by how long it has shown the same one. */
function countSilence(parts: EngineParts, sightings: Map<string, Sighting>, worker: WorkerIdentity): number {
  const beat = readBeat(parts.folder, worker.id);
  const nowMs = parts.readSteadyMs();
  if (beat !== null && worker.boot === parts.identity.bootId) return nowMs - beat;
  const seen = sightings.get(worker.id);
  if (seen?.beat === beat) return nowMs - seen.sinceMs;
  sightings.set(worker.id, { beat, sinceMs: nowMs });
  return 0;
}

/** Its file goes with its last job. A late worker opens it again when it claims. */
function forgetWorker({ folder, log }: EngineParts, worker: WorkerIdentity): void {
  const isNeeded = [...log.refresh().running.values()].some((row) => row.worker?.id === worker.id);
  if (!isNeeded) removeBeat(folder, worker.id);
}
