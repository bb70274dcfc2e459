/**
 * Finds workers that are gone or late.
 *
 * A process is gone at once when the table of processes says so. One that is there but silent for longer than its lease
 * is late: it may be stopped, or on a machine that this one cannot look into.
 */
import type { SeenWorker } from "./pure/engine.ts";
import type { WorkerIdentity } from "./pure/queue-record.ts";
import type { JobRow } from "./pure/job-row.ts";
import { readProcessState } from "../process/process-identity.ts";
import type { EngineParts } from "./engine-parts.ts";

export interface WorkerWatch {
  /** Null where no worker holds the job. */
  readonly look: (row: HeldRow) => Promise<SeenWorker | null>;
  readonly recordLosses: () => Promise<void>;
}

type HeldRow = Pick<JobRow, "worker" | "leaseMs">;

export function watchWorkers(parts: EngineParts): WorkerWatch {
  const { log, beats } = parts;

  const findLoss = async ({ worker, leaseMs }: HeldRow): Promise<string | null> => {
    if (worker === null || isThisProcess(parts, worker)) return null;
    if ((await readState(worker)) === "gone") return "its worker is gone";
    const silentMs = beats.countSilence(worker);
    return silentMs > leaseMs && (await beats.confirmSilence(worker)) ? describeSilence(silentMs) : null;
  };

  const look: WorkerWatch["look"] = async (row) => {
    const { worker, leaseMs } = row;
    if (worker === null) return null;
    const { id, host, pid } = worker;
    const lost = await findLoss(row);
    const silentMs = beats.readAge(worker);
    const late = silentMs !== null && silentMs > leaseMs ? describeSilence(silentMs) : null;
    return { id, host, pid, silentMs, lost: lost ?? (isThisProcess(parts, worker) ? null : late) };
  };

  const recordLosses = async (): Promise<void> => {
    for (const { id: job, token, worker, leaseMs } of [...(await log.refresh()).running.values()].map((row) => ({
      ...row,
    }))) {
      const why = await findLoss({ worker, leaseMs });
      if (worker === null || why === null) continue;
      await log.record(({ running }) => (running.get(job)?.token === token ? { kind: "lost", job, token, why } : null));
      await forgetWorker(parts, worker);
    }
  };
  return { look, recordLosses };
}

function describeSilence(ms: number): string {
  return `its worker was silent for ${Math.round(ms / 1000)} s`;
}

function isThisProcess({ identity }: EngineParts, { pid, birth, boot }: WorkerIdentity): boolean {
  return pid === identity.pid && birth === identity.processStart && boot === identity.bootId;
}

function readState({ pid, birth, boot, host, pid_namespace }: WorkerIdentity): ReturnType<typeof readProcessState> {
  return readProcessState({ pid, processStart: birth, bootId: boot, host, pidNamespace: pid_namespace });
}

/** Its beats go with its last job. A late worker beats again when it claims. */
async function forgetWorker({ beats, log }: EngineParts, worker: WorkerIdentity): Promise<void> {
  const isNeeded = [...log.known().running.values()].some((row) => row.worker?.id === worker.id);
  if (!isNeeded) await beats.forget(worker.id);
}
