/**
 * Finds workers that are gone or late.
 *
 * A process is gone at once when the table of processes says so. One that is there but silent for longer than its lease
 * is late: it may be stopped, or on a machine that this one cannot look into.
 */
import type { SeenWorker } from "../../contract/queue/engine.ts";
import type { WorkerIdentity } from "../../contract/queue/queue-record.ts";
import type { JobRow } from "../../core/queue/job-row.ts";
import { readProcessState } from "../../io/process/process-identity.ts";
import { readBeat, removeBeat } from "../../io/queue/beats.ts";
import type { EngineParts } from "./engine-parts.ts";

interface Sighting {
  readonly beat: number | null;
  readonly sinceMs: number;
}

export interface WorkerWatch {
  /** Null where no worker holds the job. */
  readonly look: (row: HeldRow) => Promise<SeenWorker | null>;
  readonly recordLosses: () => Promise<void>;
}

type HeldRow = Pick<JobRow, "worker" | "leaseMs">;

export function watchWorkers(parts: EngineParts): WorkerWatch {
  const { log } = parts;
  const sightings = new Map<string, Sighting>();

  const look: WorkerWatch["look"] = async ({ worker, leaseMs }) => {
    if (worker === null) return null;
    const { id, host, pid } = worker;
    const isGone = !isThisProcess(parts, worker) && (await readState(worker)) === "gone";
    const silentMs = countSilence(parts, sightings, worker);
    const isLate = silentMs > leaseMs && !isThisProcess(parts, worker);
    const late = isLate ? `its worker was silent for ${Math.round(silentMs / 1000)} s` : null;
    const isSameBoot = worker.boot === parts.identity.bootId;
    return { id, host, pid, silentMs: isSameBoot ? silentMs : null, lost: isGone ? "its worker is gone" : late };
  };

  const recordLosses = async (): Promise<void> => {
    for (const { id: job, token, worker, leaseMs } of [...log.refresh().running.values()].map((row) => ({ ...row }))) {
      const why = (await look({ worker, leaseMs }))?.lost ?? null;
      if (worker === null || why === null) continue;
      log.record(({ running }) => (running.get(job)?.token === token ? { kind: "lost", job, token, why } : null));
      forgetWorker(parts, worker);
    }
  };
  return { look, recordLosses };
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
