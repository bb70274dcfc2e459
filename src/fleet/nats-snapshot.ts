/**
 * Where a reader of the log begins. A long log is cut: the record `sealed` becomes the first one, and the queue as it was
 * behind that record lies in a store that only workers write to. The snapshot is there before anything is removed, so a
 * process that ends in between leaves a longer log, or a snapshot that nobody needs.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { JetStreamManager } from "@nats-io/jetstream";
import { Objm, type ObjectStore } from "@nats-io/obj";
import { QueueError } from "../queue/pure/queue-error.ts";
import { emptyQueue, type QueueState, restoreQueue, takeSnapshot } from "../queue/pure/queue-state.ts";
import { readSum } from "../queue/record-text.ts";
import { callServer, type NatsLink } from "./nats-link.ts";
import { removeObject } from "./remove-object.ts";
import { parseSnapshotText } from "./snapshot-text.ts";

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
