import type { Claim, ClaimWait, WorkerView, WorkerWant } from "./pure/engine.ts";
import { mayComeHere } from "./pure/choose-job.ts";
import { type EngineParts, waitForChanges } from "./engine-parts.ts";
import { fireSchedules } from "./fire-schedules.ts";
import type { WorkerWatch } from "./lost-workers.ts";
import { openOwnWorker, type OwnWorker } from "./own-worker.ts";

/** Between two looks at all workers and schedules. */
const LOOK_MS = 200;

export interface Claims {
  readonly claim: (worker: WorkerView, want: WorkerWant, wait: ClaimWait) => Promise<Claim | null>;
  readonly close: () => Promise<void>;
}

export function openClaims(parts: EngineParts, { recordLosses }: Pick<WorkerWatch, "recordLosses">): Claims {
  const workers = new Map<string, OwnWorker>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** Work that waits for somebody; each claim does it first. */
  const prepare = async (): Promise<void> => {
    if (parts.log.known().dropped.size > 0) await sweep(parts);
    if (parts.readSteadyMs() - lookedAt < LOOK_MS) return;
    lookedAt = parts.readSteadyMs();
    await recordLosses();
    await fireSchedules(parts);
  };

  return {
    claim: async ({ id }, want, wait) => {
      const own = workers.get(id) ?? openOwnWorker(parts, id);
      workers.set(id, own);
      const changes = waitForChanges(parts.changes, wait.signal);
      try {
        while (!wait.signal.aborted) {
          await prepare();
          const claim = await own.claim(want);
          if (claim !== null) return claim;
          if (await isWaitOver(parts, want, wait)) return null;
          await changes.next();
        }
        return null;
      } finally {
        changes.close();
      }
    },
    close: async () => {
      for (const own of workers.values()) await own.close();
    },
  };
}

async function isWaitOver({ log, now }: EngineParts, { labels }: WorkerWant, { until }: ClaimWait): Promise<boolean> {
  if (until === "once") return true;
  return until === "drain" && !mayComeHere(await log.refresh(), { now: now(), labels });
}

async function sweep({ log, store }: EngineParts): Promise<void> {
  const { dropped, jobs } = await log.refresh();
  const stores = [...dropped];
  await store.sweep(stores, new Set([...jobs.values()].map((row) => row.store)));
  await log.record(() => ({ kind: "swept", stores }));
}
