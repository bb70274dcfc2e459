import type { Claim, ClaimWait, WorkerView, WorkerWant } from "../../contract/queue/engine.ts";
import { mayComeHere } from "../../core/queue/choose-job.ts";
import { listStores, removeJobFiles } from "../../io/queue/job-files.ts";
import { makeQueueFolder } from "../../io/queue/queue-folder.ts";
import { type EngineParts, waitForChanges } from "./engine-parts.ts";
import { fireSchedules } from "./fire-schedules.ts";
import type { WorkerWatch } from "./lost-workers.ts";
import { openOwnWorker, type OwnWorker } from "./own-worker.ts";

/** Between two looks at all workers and schedules. */
const LOOK_MS = 200;

export interface Claims {
  readonly claim: (worker: WorkerView, want: WorkerWant, wait: ClaimWait) => Promise<Claim | null>;
  readonly close: () => void;
}

export function openClaims(parts: EngineParts, { recordLosses }: Pick<WorkerWatch, "recordLosses">): Claims {
  const workers = new Map<string, OwnWorker>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** Work that waits for somebody; each claim does it first. */
  const prepare = async (): Promise<void> => {
    if (parts.log.refresh().dropped.size > 0) await sweep(parts);
    if (parts.readSteadyMs() - lookedAt < LOOK_MS) return;
    lookedAt = parts.readSteadyMs();
    await recordLosses();
    await fireSchedules(parts);
  };

  return {
    claim: async ({ id }, want, wait) => {
      makeQueueFolder(parts.folder);
      const own = workers.get(id) ?? openOwnWorker(parts, id);
      workers.set(id, own);
      const changes = waitForChanges(parts.changes, wait.signal);
      try {
        while (!wait.signal.aborted) {
          await prepare();
          const claim = await own.claim(want);
          if (claim !== null) return claim;
          if (isWaitOver(parts, want, wait)) return null;
          await changes.next();
        }
        return null;
      } finally {
        changes.close();
      }
    },
    close: () => {
      for (const own of workers.values()) own.close();
    },
  };
}

function isWaitOver({ log, now }: EngineParts, { labels }: WorkerWant, { until }: ClaimWait): boolean {
  if (until === "once") return true;
  return until === "drain" && !mayComeHere(log.refresh(), { now: now(), labels });
}

/** Removes the folders of forgotten jobs, and those that a killed process left before it could record its job. */
async function sweep({ folder, log, readClockMs }: EngineParts): Promise<void> {
  const old = listStores(folder, readClockMs() - DAY_MS);
  const { dropped, jobs } = log.refresh();
  const known = new Set([...jobs.values()].map(({ store }) => store));
  const stores = [...dropped];
  await removeJobFiles(folder, [...stores, ...old.filter((store) => !known.has(store))]);
  log.record(() => ({ kind: "swept", stores }));
}

const DAY_MS = 24 * 60 * 60 * 1000;
