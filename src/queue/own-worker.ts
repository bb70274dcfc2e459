import * as v from "valibot";
import { type Claim, type Fenced, type JobAsk, type WorkerWant, QueueError } from "./pure/engine.ts";
import { type Attachment, JobSpec, type JobResult } from "./pure/job.ts";
import type { QueueEvent } from "./pure/queue-record.ts";
import type { QueueState } from "./pure/queue-state.ts";
import { InvariantError } from "../base/errors.ts";
import { type EngineParts, waitForChanges } from "./engine-parts.ts";
import type { AppendLines, OwnBeats, StoredPlace } from "./engine-ports.ts";
import { isDeepStrictEqual } from "node:util";
import { chooseJob } from "./pure/choose-job.ts";
import type { JobRow } from "./pure/job-row.ts";
import type { ProcessIdentity } from "../process/process-identity.ts";
import { readUptimeMs } from "../journal/beats.ts";

/** A job in the hands of a worker. Everything that it records carries the token of its claim. */

/** An event of a held job, without the part that every one has. */
type HeldEvent = QueueEvent extends infer E ? (E extends { token: number } ? Omit<E, "job" | "token"> : never) : never;

export interface HeldClaim extends Claim {
  /** Aborts `lost` where the job is in other hands. */
  readonly look: () => void;
  readonly giveUp: (reason: Error) => void;
}

export interface ClaimedJob extends Pick<Claim, "job" | "key" | "attempt" | "spent" | "leftovers"> {
  readonly token: number;
  readonly spec: JobSpec;
  readonly store: string;
  readonly leash: OwnBeats["leash"];
  /** It has ended, was given back, or was lost. */
  readonly onOver: () => void;
}

interface Holding extends ClaimedJob {
  readonly parts: EngineParts;
  readonly place: StoredPlace;
  readonly lost: AbortController;
  isOver: boolean;
  /** The last batch of lines. */
  turn: Promise<unknown>;
}

export function holdClaim(parts: EngineParts, claimed: ClaimedJob): HeldClaim {
  const { job, key, spec, attempt, token, spent, leftovers, store, leash } = claimed;
  const place = { store, attempt };
  const lost = new AbortController();
  const holding: Holding = { ...claimed, parts, place, lost, isOver: false, turn: Promise.resolve() };
  const appendLines = openLines(holding);
  return {
    job,
    key,
    spec,
    attempt,
    token: BigInt(token),
    spent,
    leftovers,
    lost: lost.signal,
    look: () => look(holding),
    giveUp: (reason) => giveUp(holding, reason),
    leash: (listener) => leash?.(listener) ?? (() => {}),
    asked: (signal) => listAsks(holding, signal),
    started: (process) => record(holding, { kind: "started", process }),
    append: (lines) => {
      const done = holding.turn.then(() => appendLines(lines));
      holding.turn = done.catch(() => null); // One failure is one caller's.
      return done;
    },
    attach: (name, content) => attach(holding, name, content),
    spend: (more) => record(holding, { kind: "spent", spent: more }),
    finish: (result) => record(holding, { kind: "finished", result }),
    release: async (why, notBefore) => {
      await record(holding, { kind: "released", why: why.slice(0, 300), not_before: notBefore });
    },
  };
}

function isHeld({ job, token, isOver }: Holding, { running }: QueueState): boolean {
  return !isOver && running.get(job)?.token === token;
}

function look(holding: Holding): void {
  if (!holding.isOver && !isHeld(holding, holding.parts.log.known()))
    giveUp(holding, new Error(`job ${holding.job} is in other hands`));
}

function giveUp(holding: Holding, reason: Error): void {
  endHolding(holding);
  holding.lost.abort(reason);
}

function endHolding(holding: Holding): void {
  holding.isOver = true;
  holding.onOver();
}

/** The number of the record; null where the job is in other hands. */
async function write(holding: Holding, event: HeldEvent): Promise<number | null> {
  const { job, token, isOver, parts } = holding;
  const seq = isOver
    ? null
    : await parts.log.record((state) => (isHeld(holding, state) ? { ...event, job, token } : null));
  if (seq === null) look(holding);
  return seq;
}

async function record(holding: Holding, event: HeldEvent): Promise<"recorded" | Fenced> {
  if ((await write(holding, event)) === null) return "fenced";
  if (event.kind === "finished" || event.kind === "released") endHolding(holding);
  await holding.parts.log.sync();
  return "recorded";
}

function openLines(holding: Holding): AppendLines {
  const { job, parts, place } = holding;
  const append = parts.store.openLines({ ...place, job, count: (bytes) => write(holding, { kind: "lines", bytes }) });
  return async (lines) => {
    if (lines.some((line) => line.includes("\n"))) throw new InvariantError("a line of a job has a newline in it");
    look(holding);
    return holding.isOver ? "fenced" : append(lines);
  };
}

async function attach(
  holding: Holding,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<Attachment | Fenced> {
  look(holding);
  if (holding.isOver) return "fenced";
  const attachment = {
    name,
    attempt: holding.attempt,
    ...(await holding.parts.store.attach(holding.place, name, content)),
  };
  return (await record(holding, { kind: "attached", attachment })) === "fenced" ? "fenced" : attachment;
}

/** Ends with the claim. */
async function* listAsks({ parts, job, token }: Holding, signal: AbortSignal): AsyncGenerator<JobAsk, void> {
  const changes = waitForChanges(parts.changes, signal);
  try {
    for (let done = 0; !signal.aborted;) {
      const row = parts.log.known().running.get(job);
      if (row?.token !== token) return;
      const ask = row.asks[done];
      if (ask === undefined) await changes.next();
      else {
        done += 1;
        yield ask;
      }
    }
  } finally {
    changes.close();
  }
}

/** One worker of this process, with its beats and the claims that it holds. */

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
