/** One worker of this process, with its beats and the claims that it holds. */
import * as v from "valibot";
import type { Claim, WorkerWant } from "../../contract/queue/engine.ts";
import { type JobResult, JobSpec } from "../../contract/queue/job.ts";
import { QueueError } from "../../contract/queue/queue-error.ts";
import type { QueueEvent } from "../../contract/queue/queue-record.ts";
import { chooseJob } from "../../core/queue/choose-job.ts";
import type { JobRow } from "../../core/queue/job-row.ts";
import type { ProcessIdentity } from "../../io/process/process-identity.ts";
import { removeBeat, writeBeat } from "../../io/queue/beats.ts";
import { readSpec } from "../../io/queue/job-files.ts";
import type { EngineParts } from "./engine-parts.ts";
import { type HeldClaim, holdClaim } from "./held-claim.ts";

/** Beats within one lease. */
const BEATS_A_LEASE = 3;

export interface OwnWorker {
  readonly claim: (want: WorkerWant) => Promise<Claim | null>;
  readonly close: () => void;
}

interface Holder {
  readonly parts: EngineParts;
  readonly id: string;
  readonly held: Map<number, HeldClaim>;
  unlisten: (() => void) | null;
}

export function openOwnWorker(parts: EngineParts, id: string): OwnWorker {
  const holder: Holder = { parts, id, held: new Map(), unlisten: null };
  const beats = openBeats(parts, id);
  return {
    claim: async (want) => {
      beats.shortenLease(want.leaseMs);
      releaseStrays(holder);
      for (;;) {
        beats.beat();
        const claimed = writeClaim(holder, want);
        if (claimed === null) return null;
        const claim = await hold(holder, claimed);
        if (claim !== null) return claim;
      }
    },
    close: () => {
      stopListening(holder);
      beats.close(holder.held.size === 0);
    },
  };
}

interface Claimed {
  readonly row: JobRow;
  readonly token: number;
}

function writeClaim({ parts, id }: Holder, { labels, leaseMs }: WorkerWant): Claimed | null {
  const { now, log, identity } = parts;
  const chosen: { row: JobRow | null } = { row: null };
  const token = log.record((state) => {
    chosen.row = chooseJob(state, { now: now(), labels });
    if (chosen.row === null) return null;
    return { kind: "claimed", job: chosen.row.id, worker: { id, ...nameProcess(identity) }, lease_ms: leaseMs };
  });
  return token === null || chosen.row === null ? null : { row: chosen.row, token };
}

function nameProcess({ pid, processStart, bootId, host, pidNamespace }: ProcessIdentity) {
  return { pid, birth: processStart, boot: bootId, host, pid_namespace: pidNamespace };
}

/** Null for a job whose specification cannot be read: it ends. */
async function hold(holder: Holder, { row, token }: Claimed): Promise<Claim | null> {
  const { parts, held } = holder;
  const { id: job, attempt, spent, store, head } = row;
  const leftovers = parts.log.refresh().leftovers.get(head.key) ?? [];
  const spec = findSpec(parts, row);
  if (spec instanceof QueueError) {
    const result = failedResult(row, spec.message);
    parts.log.record(({ running }) =>
      running.get(job)?.token === token ? { kind: "finished", job, token, result } : null,
    );
    return null;
  }
  const onOver = (): void => drop(holder, token);
  const claim = holdClaim(parts, { job, key: head.key, attempt, spent, leftovers, token, spec, store, onOver });
  held.set(token, claim);
  holder.unlisten ??= parts.changes.listen(() => lookAtAll(holder));
  try {
    await parts.log.sync();
    return claim;
  } catch (error) {
    drop(holder, token);
    throw error;
  }
}

export function findSpec({ folder }: EngineParts, { store, spec }: JobRow): JobSpec | QueueError {
  try {
    return v.parse(JobSpec, JSON.parse(readSpec({ folder, store }, spec)));
  } catch (error) {
    if (error instanceof QueueError) return error;
    throw error;
  }
}

function failedResult({ spent }: JobRow, summary: string): JobResult {
  const text = summary.slice(0, 300);
  return { outcome: "failed", code: null, exit_status: null, branch: null, commit: null, spent, summary: text };
}

/** Where the log is damaged, nobody can hold a job any more. A file that cannot be read now may be later. */
function lookAtAll({ held }: Holder): void {
  for (const claim of held.values()) {
    try {
      claim.look();
    } catch (error) {
      if (!(error instanceof QueueError)) throw error;
      if (error.kind === "damaged") claim.giveUp(error);
    }
  }
}

function drop(holder: Holder, token: number): void {
  holder.held.delete(token);
  if (holder.held.size === 0) stopListening(holder);
}

function stopListening(holder: Holder): void {
  holder.unlisten?.();
  holder.unlisten = null;
}

/** A claim that was recorded although the disk failed then: nobody works on it. */
function releaseStrays({ parts, id, held }: Holder): void {
  for (const { id: job, token, worker } of parts.log.refresh().running.values()) {
    if (worker?.id !== id || held.has(token)) continue;
    const event: QueueEvent = { kind: "released", job, token, why: "its claim failed", not_before: null };
    parts.log.record(({ running }) => (running.get(job)?.token === token ? event : null));
  }
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
  const tryToBeat = (): void => {
    try {
      beat();
    } catch (error) {
      if (!(error instanceof QueueError)) throw error; // The lease ends, and a successor gets the job.
    }
  };
  return {
    beat,
    shortenLease: (leaseMs) => {
      if (leaseMs / BEATS_A_LEASE >= intervalMs) return;
      intervalMs = leaseMs / BEATS_A_LEASE;
      if (timer !== null) clearInterval(timer);
      timer = setInterval(tryToBeat, intervalMs);
      timer.unref();
    },
    close: (isIdle) => {
      if (timer !== null) clearInterval(timer);
      if (isIdle) removeBeat(folder, id);
    },
  };
}
