/** One worker of this process, with its beats and the claims that it holds. */
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import type { Claim, WorkerWant } from "./pure/engine.ts";
import { type JobResult, JobSpec } from "./pure/job.ts";
import { QueueError } from "./pure/queue-error.ts";
import type { QueueEvent } from "./pure/queue-record.ts";
import { chooseJob } from "./pure/choose-job.ts";
import type { JobRow } from "./pure/job-row.ts";
import type { ProcessIdentity } from "../process/process-identity.ts";
import { readUptimeMs } from "../journal/beats.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { OwnBeats } from "./engine-ports.ts";
import { type HeldClaim, holdClaim } from "./held-claim.ts";

export interface OwnWorker {
  readonly claim: (want: WorkerWant) => Promise<Claim | null>;
  readonly close: () => Promise<void>;
}

interface Holder {
  readonly parts: EngineParts;
  readonly id: string;
  readonly held: Map<number, HeldClaim>;
  readonly beats: OwnBeats;
  /** Claims that were given up although the log still has them, and since when. Their sessions may still end. */
  readonly abandoned: Map<number, number>;
  /** By `readUptimeMs`. */
  stopMs: number;
  unlisten: (() => void) | null;
}

export function openOwnWorker(parts: EngineParts, id: string): OwnWorker {
  const beats = parts.beats.open(id);
  const holder: Holder = { parts, id, beats, held: new Map(), abandoned: new Map(), stopMs: Infinity, unlisten: null };
  beats.leash?.(({ stopMs }) => (holder.stopMs = stopMs));
  let turn: Promise<unknown> = Promise.resolve();
  return {
    // One after the other: a claim that is recorded and not held yet must not look like a stray.
    claim: (want) => {
      const done = turn.then(() => claimNext(holder, want));
      turn = done.catch(() => null);
      return done;
    },
    close: async () => {
      stopListening(holder);
      await beats.close(holder.held.size === 0);
    },
  };
}

async function claimNext(holder: Holder, want: WorkerWant): Promise<Claim | null> {
  holder.beats.shortenLease(want.leaseMs);
  await releaseStrays(holder);
  for (;;) {
    if (!hasWork(holder, want)) await holder.parts.log.refresh();
    if (!hasWork(holder, want)) return null;
    await holder.beats.beat();
    const claimed = await writeClaim(holder, want);
    if (claimed === null) return null;
    const claim = await hold(holder, claimed);
    if (claim !== null) return claim;
  }
}

function hasWork({ parts: { log, now } }: Holder, { labels }: WorkerWant): boolean {
  return chooseJob(log.known(), { now: now(), labels }) !== null;
}

interface Claimed {
  /** As it is in this attempt. */
  readonly row: JobRow;
  readonly token: number;
}

async function writeClaim({ parts, id }: Holder, { labels, leaseMs }: WorkerWant): Promise<Claimed | null> {
  const { now, log, identity } = parts;
  const chosen: { row: JobRow | null } = { row: null };
  const token = await log.record((state) => {
    const row = chooseJob(state, { now: now(), labels });
    chosen.row = row === null ? null : { ...row, attempt: row.attempt + 1 };
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
  const { parts, held, beats } = holder;
  const { leash } = beats;
  const { id: job, attempt, spent, store, head } = row;
  const leftovers = parts.log.known().leftovers.get(head.key) ?? [];
  const spec = await findSpec(parts, row);
  if (spec instanceof QueueError) {
    const result = failedResult(row, spec.message);
    await parts.log.record(({ running }) =>
      running.get(job)?.token === token ? { kind: "finished", job, token, result } : null,
    );
    return null;
  }
  const onOver = (): void => drop(holder, token);
  const claim = holdClaim(parts, { job, key: head.key, attempt, spent, leftovers, token, spec, store, leash, onOver });
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

export async function findSpec(parts: EngineParts, row: JobRow): Promise<JobSpec | QueueError> {
  try {
    const text = await parts.store.readSpec(row.store, row.spec);
    const { success, output } = v.safeParse(SpecText, text);
    // What lists, keys and limits go by is what runs.
    if (success && isHeadOf(row, output)) return output;
    return new QueueError("damaged", `the specification ${row.store} is none of this job: cancel it`);
  } catch (error) {
    if (error instanceof QueueError && error.kind === "damaged") return error;
    throw error;
  }
}

const SpecText = v.pipe(v.string(), v.parseJson(), JobSpec);

function isHeadOf({ head }: JobRow, { files: _files, config: _config, ...own }: JobSpec): boolean {
  return isDeepStrictEqual(head, own);
}

function failedResult({ spent }: JobRow, summary: string): JobResult {
  const text = summary.slice(0, 300);
  return { outcome: "failed", code: null, exit_status: null, branch: null, commit: null, spent, summary: text };
}

/** Where the log is damaged, nobody can hold a job any more. A file that cannot be read now may be later. */
function lookAtAll({ held, abandoned, stopMs, parts }: Holder): void {
  for (const [token, claim] of held) {
    try {
      if (readUptimeMs() > stopMs) {
        abandoned.set(token, parts.readSteadyMs());
        claim.giveUp(new Error("no beat was answered within the lease"));
        continue;
      }
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

/** A claim that was recorded although the disk failed then, or one that was given up a lease ago: nobody works on it. */
async function releaseStrays({ parts, id, held, abandoned }: Holder): Promise<void> {
  const isEnding = (token: number, leaseMs: number): boolean =>
    parts.readSteadyMs() - (abandoned.get(token) ?? Number.NEGATIVE_INFINITY) < leaseMs;
  const strays = [...parts.log.known().running.values()].filter(({ worker }) => worker?.id === id);
  for (const { id: job, token, leaseMs } of strays) {
    if (held.has(token) || isEnding(token, leaseMs)) continue;
    const event: QueueEvent = { kind: "released", job, token, why: "its claim failed", not_before: null };
    await parts.log.record(({ running }) => (running.get(job)?.token === token ? event : null));
  }
}
