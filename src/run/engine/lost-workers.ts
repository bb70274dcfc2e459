/**
 * Finds workers that are gone or late.
 *
 * A process is gone at once when the table of processes says so. One that is there but silent for longer than its lease
 * is late: it may be stopped, or on a machine that this one cannot look into.
 */
import type { WorkerIdentity } from "../../contract/queue/queue-record.ts";
import type { JobRow } from "../../core/queue/queue-state.ts";
import { readProcessState } from "../../io/process/process-identity.ts";
import { readBeat, removeBeat } from "../../io/queue/beats.ts";
import type { EngineParts } from "./engine-parts.ts";

/** Between two looks at all workers. */
const LOOK_MS = 200;

export interface LostWorkers {
  /** Records every loss, unless this was done a moment ago. */
  readonly recordLosses: () => Promise<void>;
}

interface Sighting {
  readonly beat: number | null;
  readonly sinceMs: number;
}

export function watchWorkers(parts: EngineParts): LostWorkers {
  const { log, readSteadyMs } = parts;
  const sightings = new Map<string, Sighting>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  const explainLoss = async ({ worker, leaseMs }: JobRow): Promise<string | null> => {
    if (worker === null || isThisProcess(parts, worker)) return null;
    if ((await readState(worker)) === "gone") return "its worker is gone";
    const silentMs = countSilence(parts, sightings, worker);
    return silentMs > leaseMs ? `its worker was silent for ${Math.round(silentMs / 1000)} s` : null;
  };

  const recordLosses = async (): Promise<void> => {
    const nowMs = readSteadyMs();
    if (nowMs - lookedAt < LOOK_MS) return;
    lookedAt = nowMs;
    const running = [...log.refresh().running.values()].map((row) => ({ row, token: row.token, worker: row.worker }));
    for (const { row, token, worker } of running) {
      const why = await explainLoss(row);
      if (why === null) continue;
      log.record(({ running: now }) => {
        const isSame = now.get(row.id)?.token === token;
        return isSame ? { kind: "lost", job: row.id, token, why } : null;
      });
      if (worker !== null) forgetWorker(parts, worker);
    }
  };

  return { recordLosses };
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
