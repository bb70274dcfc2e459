import * as v from "valibot";
import { Attachment, JobHead, JobId, JobKey, JobResult, JobTerms } from "../queue/pure/job.ts";
import { StoreName, WorkerIdentity } from "../queue/pure/queue-record.ts";
import { Sha256, Timestamp } from "../base/identifier.ts";
import { Count, Positive } from "../base/quantity.ts";
import {
  type QueueSnapshot,
  emptyQueue,
  type QueueState,
  restoreQueue,
  takeSnapshot,
} from "../queue/pure/queue-state.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { JetStreamManager } from "@nats-io/jetstream";
import { Objm, type ObjectStore } from "@nats-io/obj";
import { QueueError } from "../queue/pure/engine.ts";
import { readSum } from "../queue/record-text.ts";
import { callServer, type NatsLink } from "./nats-link.ts";
import { removeObject } from "./nats-store.ts";

/** The snapshot of a queue as a member wrote it: another program may have, so that everything is checked. */

const Process = v.strictObject({ pid: Positive, birth: v.string(), boot: v.string() });

/** A sum of many, which may be larger than any one. */
const Sum = v.pipe(v.number(), v.minValue(0));
const Spent = v.strictObject({
  ticks: Sum,
  sessions: Sum,
  dollars: Sum,
  seconds: Sum,
  tokens: v.exactOptional(Sum),
});

const Row = v.strictObject({
  id: JobId,
  store: StoreName,
  head: JobHead,
  spec: Sha256,
  terms: JobTerms,
  phase: v.picklist(["scheduled", "waiting", "running", "done", "failed", "cancelled"]),
  isPaused: v.boolean(),
  submittedAt: Timestamp,
  order: Positive,
  attempt: Count,
  token: Count,
  worker: v.nullable(WorkerIdentity),
  leaseMs: Count,
  process: v.nullable(Process),
  startedAt: v.nullable(Timestamp),
  endedAt: v.nullable(Timestamp),
  endedBy: Count,
  asks: v.array(v.picklist(["cancel", "pause", "resume"])),
  spent: Spent,
  result: v.nullable(v.strictObject({ ...JobResult.entries, spent: Spent })),
  attachments: v.array(Attachment),
  losses: v.array(v.strictObject({ attempt: Positive, at: Timestamp, why: v.string() })),
  lost: Count,
  blockers: v.array(JobId),
  lines: v.array(v.strictObject({ attempt: Count, bytes: Count, seq: Positive })),
  fired: v.nullable(v.strictObject({ time: Timestamp, job: JobId })),
});
type Row = v.InferOutput<typeof Row>;

const Leftovers = v.array(v.strictObject({ job: JobId, attempt: Positive, process: Process }));

const Snapshot = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({
    sum: v.string(),
    queue: v.strictObject({
      seq: Count,
      generation: Positive,
      isHeld: v.boolean(),
      jobs: v.pipe(
        v.array(Row),
        v.check((jobs) => isOfOneQueue(jobs)),
      ),
      limits: v.array(v.tuple([v.string(), Timestamp])),
      leftovers: v.array(v.tuple([JobKey, Leftovers])),
      dropped: v.array(StoreName),
    }),
  }),
);

/** Each job once, and of all with one key at most one that runs, which has a worker. */
function isOfOneQueue(jobs: readonly Row[]): boolean {
  const running = jobs.filter(({ phase }) => phase === "running");
  return (
    new Set(jobs.map(({ id }) => id)).size === jobs.length &&
    new Set(running.map(({ head }) => head.key)).size === running.length &&
    running.every(({ worker, token }) => worker !== null && token > 0)
  );
}

/** Null where it is none. */
export function parseSnapshotText(text: string): { readonly sum: string; readonly queue: QueueSnapshot } | null {
  const parsed = v.safeParse(Snapshot, text);
  return parsed.success ? parsed.output : null;
}

/**
 * Where a reader of the log begins. A long log is cut: the record `sealed` becomes the first one, and the queue as it was
 * behind that record lies in a store that only workers write to. The snapshot is there before anything is removed, so a
 * process that ends in between leaves a longer log, or a snapshot that nobody needs.
 */

export interface NatsPosition {
  readonly state: QueueState;
  /** Of the newest record. */
  sum: string;
  /** The number of the newest message when this reader began: up to here, the log is what the server has. */
  readonly last: number;
  /** The number of the first record behind the newest seal. */
  first: number;
}

interface SnapshotLink extends NatsLink {
  readonly manager: JetStreamManager;
}

/** Another process may cut the log, or remove an older snapshot, between two looks. */
const LOOKS_MAX = 10;
const LOOK_MS = 200;

export async function openNewestPosition(link: SnapshotLink): Promise<NatsPosition> {
  for (let looks = 1; ; looks += 1) {
    const position = await callServer(link, () => openFirst(link));
    if (position !== null) return position;
    if (looks === LOOKS_MAX) throw lacksSnapshot(link);
    await delay(LOOK_MS);
  }
}

function lacksSnapshot({ connection }: SnapshotLink): QueueError {
  const what = "has lost the beginning of the queue: restore its data from a copy, or empty it and run";
  return new QueueError("damaged", `the server ${connection.getServer()} ${what} \`relais queue rebuild\``);
}

/** Null where the first record is another one now. */
async function openFirst(link: SnapshotLink): Promise<NatsPosition | null> {
  const { manager, names } = link;
  const { state } = await manager.streams.info(names.log);
  const last = state.last_seq;
  if (last === 0 || state.first_seq === 1) return { state: emptyQueue(), sum: "", last, first: 1 };
  const seal = await manager.streams.getMessage(names.log, { seq: state.first_seq });
  const text = seal === null ? null : await readSnapshot(link, state.first_seq);
  if (seal === null || text === null) return null;
  const snapshot = parseSnapshotText(text);
  if (snapshot === null || readSum(seal.string()) !== snapshot.sum || snapshot.queue.seq !== seal.seq)
    throw lacksSnapshot(link);
  return { state: restoreQueue(snapshot.queue), sum: snapshot.sum, last, first: seal.seq + 1 };
}

/** To be called before the next record is taken, because the state is changed in place. */
export function writeSnapshotText({ state, sum }: NatsPosition): string {
  return JSON.stringify({ sum, queue: takeSnapshot(state) });
}

async function openStore({ connection, names }: NatsLink): Promise<ObjectStore> {
  return new Objm(connection).open(names.snapshots);
}

async function readSnapshot(link: SnapshotLink, seq: number): Promise<string | null> {
  const data = await (await openStore(link)).getBlob(String(seq));
  return data === null ? null : Buffer.from(data).toString("utf8");
}

/** Keeps the snapshot behind the record with this number, removes all records before it, and older snapshots. */
export async function cutLog(link: SnapshotLink, seq: number, text: string): Promise<void> {
  const { manager, names, timeoutMs: timeout } = link;
  const store = await openStore(link);
  await store.putBlob({ name: String(seq) }, Buffer.from(text), { timeout });
  await manager.streams.purge(names.log, { seq });
  for (const info of await store.list())
    if (Number(info.name) < seq) await removeObject(manager, names.snapshots, info);
}
