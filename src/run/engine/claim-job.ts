import * as v from "valibot";
import type { Claim, ClaimWait, WorkerView, WorkerWant } from "../../contract/queue/engine.ts";
import { JobSpec } from "../../contract/queue/job.ts";
import type { QueueEvent, WorkerIdentity } from "../../contract/queue/queue-record.ts";
import { chooseJob, mayComeHere } from "../../core/queue/choose-job.ts";
import type { JobRow } from "../../core/queue/queue-state.ts";
import { removeBeat, writeBeat } from "../../io/queue/beats.ts";
import { readSpec, removeJobFiles } from "../../io/queue/job-files.ts";
import { makeQueueFolder } from "../../io/queue/queue-folder.ts";
import type { EngineParts } from "./engine-parts.ts";
import { fireSchedules } from "./fire-schedules.ts";
import { type HeldClaim, holdClaim } from "./held-claim.ts";
import { watchWorkers } from "./lost-workers.ts";

/** Beats within one lease. */
const BEATS_A_LEASE = 3;

export interface Claims {
  readonly claim: (worker: WorkerView, want: WorkerWant, wait: ClaimWait) => Promise<Claim | null>;
  readonly recordLosses: () => Promise<void>;
  readonly close: () => void;
}

export function openClaims(parts: EngineParts): Claims {
  const workers = new Map<string, OwnWorker>();
  const { recordLosses } = watchWorkers(parts);

  const findWorker = (worker: WorkerView, leaseMs: number): OwnWorker => {
    const own = workers.get(worker.id) ?? openOwnWorker(parts, worker);
    workers.set(worker.id, own);
    own.shortenLease(leaseMs);
    return own;
  };

  return {
    recordLosses,
    claim: async (worker, want, wait) => {
      makeQueueFolder(parts.folder);
      const own = findWorker(worker, want.leaseMs);
      while (!wait.signal.aborted) {
        await prepare(parts, recordLosses);
        const claim = await own.tryToClaim(want);
        if (claim !== null) return claim;
        if (isWaitOver(parts, want, wait)) return null;
        await parts.changes.next(wait.signal);
      }
      return null;
    },
    close: () => {
      for (const own of workers.values()) own.close();
    },
  };
}

/** What somebody has to do; whoever claims does it. */
async function prepare(parts: EngineParts, recordLosses: () => Promise<void>): Promise<void> {
  await recordLosses();
  await fireSchedules(parts);
  const { dropped } = parts.log.refresh();
  if (dropped.size === 0) return;
  const stores = [...dropped];
  await removeJobFiles(parts.folder, stores);
  parts.log.record(() => ({ kind: "swept", stores }));
}

function isWaitOver({ log, now }: EngineParts, { labels }: WorkerWant, { until }: ClaimWait): boolean {
  if (until === "once") return true;
  return until === "drain" && !mayComeHere(log.refresh(), { now: now(), labels });
}

interface OwnWorker {
  readonly shortenLease: (leaseMs: number) => void;
  readonly tryToClaim: (want: WorkerWant) => Promise<Claim | null>;
  readonly close: () => void;
}

/** One worker of this process, with its beats and the claims that it holds. */
function openOwnWorker(parts: EngineParts, { id }: WorkerView): OwnWorker {
  const { log, identity } = parts;
  const worker: WorkerIdentity = {
    id,
    pid: identity.pid,
    birth: identity.processStart,
    boot: identity.bootId,
    host: identity.host,
    pid_namespace: identity.pidNamespace,
  };
  const held = new Map<number, HeldClaim>();
  const beats = openBeats(parts, id);
  const lookAtAll = (): void => {
    for (const claim of held.values()) claim.look();
  };
  let unlisten: (() => void) | null = null;

  const drop = (token: number): void => {
    held.delete(token);
    if (held.size > 0) return;
    unlisten?.();
    unlisten = null;
  };

  /** A claim that was recorded although its disk said no: nobody works on it. */
  const releaseStrays = (): void => {
    for (const { id: job, token, worker: holder } of log.refresh().running.values()) {
      if (holder?.id !== id || held.has(token)) continue;
      const event: QueueEvent = { kind: "released", job, token, why: "its claim failed", not_before: null };
      log.record(({ running }) => (running.get(job)?.token === token ? event : null));
    }
  };

  const tryToClaim = async (want: WorkerWant): Promise<Claim | null> => {
    releaseStrays();
    beats.beat();
    let row: JobRow | null = null;
    const token = log.record((state) => {
      row = chooseJob(state, { now: parts.now(), labels: want.labels });
      return row === null ? null : { kind: "claimed", job: row.id, worker, lease_ms: want.leaseMs };
    });
    if (token === null || row === null) return null;
    const claim = hold(parts, { row, token, onOver: () => drop(token) });
    held.set(token, claim);
    unlisten ??= parts.changes.listen(lookAtAll);
    try {
      await log.sync();
      return claim;
    } catch (error) {
      drop(token);
      throw error;
    }
  };

  return {
    shortenLease: beats.shortenLease,
    tryToClaim,
    close: () => {
      unlisten?.();
      unlisten = null;
      beats.close(held.size === 0);
    },
  };
}

interface NewClaim {
  readonly row: JobRow;
  readonly token: number;
  readonly onOver: () => void;
}

function hold(parts: EngineParts, { row, token, onOver }: NewClaim): HeldClaim {
  const { store, spec: sha256, head } = row;
  const spec = v.parse(JobSpec, JSON.parse(readSpec({ folder: parts.folder, store }, sha256)));
  const leftovers = parts.log.refresh().leftovers.get(head.key) ?? [];
  return holdClaim(parts, { row, token, spec, leftovers, onOver });
}

interface Beats {
  readonly shortenLease: (leaseMs: number) => void;
  readonly beat: () => void;
  readonly close: (isIdle: boolean) => void;
}

function openBeats({ folder, readSteadyMs }: EngineParts, id: string): Beats {
  let intervalMs = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  const beat = (): void => writeBeat(folder, id, readSteadyMs());
  return {
    beat,
    shortenLease: (leaseMs) => {
      if (leaseMs / BEATS_A_LEASE >= intervalMs) return;
      intervalMs = leaseMs / BEATS_A_LEASE;
      if (timer !== null) clearInterval(timer);
      timer = setInterval(beat, intervalMs);
      timer.unref();
    },
    close: (isIdle) => {
      if (timer !== null) clearInterval(timer);
      if (isIdle) removeBeat(folder, id);
    },
  };
}
