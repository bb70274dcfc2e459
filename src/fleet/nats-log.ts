import {
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from "@nats-io/jetstream";
import { isPassing, QueueError } from "../queue/pure/engine.ts";
import { evolveQueue } from "../queue/pure/evolve-queue.ts";
import type { QueueState } from "../queue/pure/queue-state.ts";
import { readSharedText, writeRecordText } from "../queue/record-text.ts";
import { callServer, explainNats, type NatsLink, isOutdated, isUncertain } from "./nats-link.ts";
import { type NatsPosition, openNewestPosition, writeSnapshotText, cutLog } from "./nats-snapshot.ts";
import { randomBytes } from "node:crypto";
import { QUEUE_VERSION, type QueueEvent } from "../queue/pure/queue-record.ts";
import type { QueueLog } from "../queue/engine-ports.ts";

/** One process that follows the log: every record that it knows, in the order of the server. */

/** So few missing records are read one by one; the consumer brings more of them faster. */
const READ_SINGLY = 20;
const LOOKS_MAX = 10;
const LOOK_MS = 200;

export interface NatsLogOptions extends NatsLink {
  /** Whether this member may cut the log, and when it is long. A queue of many jobs has a longer one. */
  readonly cut: { readonly recordsMax: number } | null;
  /** The wall clock, as a timestamp in UTC. */
  readonly now: () => string;
  readonly onRecords: () => void;
}

/** A reader of the log, from a snapshot on. */
interface Reader extends NatsPosition {
  messages: ConsumerMessages | null;
  /** Records that it needs were removed behind a newer snapshot. */
  isBehind: boolean;
}

export interface Follower extends NatsLogOptions {
  /** Names this process in its records. */
  readonly by: string;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  reader: Reader;
  /** A new reader takes the place of this one as soon as it knows everything. */
  reopening: Promise<void> | null;
  isClosed: boolean;
  /** A record of this process whose answer is awaited. */
  pending: { readonly seq: number; readonly sum: string; isOurs: boolean } | null;
  /** The queue behind a seal of this process. */
  sealed: string | null;
  cutting: Promise<unknown> | null;
  /** Nothing is decided any more. */
  failure: QueueError | null;
  readonly waiters: Set<() => void>;
}

export function readFollowed({ failure, reader }: Follower): QueueState {
  if (failure !== null) throw failure;
  return reader.state;
}

export async function listen(follower: Follower, reader: Reader): Promise<void> {
  const { client, names } = follower;
  const { seq } = reader.state;
  const from =
    seq === 0
      ? { deliver_policy: DeliverPolicy.All }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: seq + 1 };
  reader.messages = await callServer(follower, async () => {
    const consumer = await client.consumers.get(names.log, from);
    return consumer.consume({
      expires: 5000,
      idle_heartbeat: 1000,
      max_messages: 1000,
      callback: (message) => takeMessage(follower, reader, { seq: message.seq, text: message.string() }),
    });
  });
}

interface Message {
  readonly seq: number;
  readonly text: string;
}

/** Takes the next message; one that is known already changes nothing. */
export function takeMessage(follower: Follower, reader: Reader, message: Message): void {
  const { seq } = reader.state;
  if (message.seq <= seq || follower.failure !== null) return;
  try {
    if (message.seq === seq + 1) takeText(follower, reader, message);
    else reader.isBehind = true;
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    follower.failure = error;
  }
  if (reader.isBehind && reader === follower.reader) void reopen(follower);
  wakeAll(follower);
}

function wakeAll({ waiters, onRecords }: Follower): void {
  for (const wake of waiters) wake();
  onRecords();
}

function takeText(follower: Follower, reader: Reader, { seq, text }: Message): void {
  const { pending } = follower;
  const read = readSharedText(text, { seq: reader.state.seq, sum: reader.sum });
  if (read.kind !== "record") {
    reader.state.seq = seq;
    // Only a reader that begins anew can tell whether it was forged, or the server has another log now.
    reader.isBehind ||= read.kind === "stray" && seq > reader.last;
    return;
  }
  const isSeal = read.record.event.kind === "sealed";
  evolveQueue(reader.state, read.record);
  reader.sum = read.sum;
  if (isSeal) reader.first = seq + 1;
  if (pending?.seq !== seq) return;
  pending.isOurs = read.sum === pending.sum;
  if (pending.isOurs && isSeal) follower.sealed = writeSnapshotText(reader);
}

/** Begins anew behind the newest snapshot, and goes on with that when nothing is missing. */
function reopen(follower: Follower): Promise<void> {
  follower.reopening ??= openAgain(follower).finally(() => {
    follower.reopening = null;
    wakeAll(follower);
  });
  return follower.reopening;
}

async function openAgain(follower: Follower): Promise<void> {
  await follower.reader.messages?.close();
  while (!follower.isClosed && follower.failure === null) {
    try {
      if (await replaceReader(follower)) return;
    } catch (error) {
      if (isPassing(error)) await pause(LOOK_MS);
      else follower.failure = explainNats(error, follower.connection.getServer());
    }
  }
}

/** False where the log was cut again meanwhile. */
async function replaceReader(follower: Follower): Promise<boolean> {
  const reader: Reader = { ...(await openNewestPosition(follower)), messages: null, isBehind: false };
  await listen(follower, reader);
  while (reader.state.seq < reader.last && !reader.isBehind && follower.failure === null)
    await waitForRecords(follower);
  if (reader.isBehind) await reader.messages?.close();
  else follower.reader = reader;
  return !reader.isBehind;
}

export async function refresh(follower: Follower): Promise<QueueState> {
  const before = readFollowed(follower).seq;
  let last = await readLast(follower);
  // A new leader of several servers may not have all records ready at once.
  for (let looks = 0; last < before && looks < LOOKS_MAX; looks += 1) {
    await pause(LOOK_MS);
    last = await readLast(follower);
  }
  if (last < before) throw lostRecords(follower);
  await catchUp(follower, last);
  return readFollowed(follower);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function readLast(follower: Follower): Promise<number> {
  const { manager, names } = follower;
  const query = { last_by_subj: names.logSubject };
  return (await callServer(follower, () => manager.streams.getMessage(names.log, query)))?.seq ?? 0;
}

function lostRecords(follower: Follower): QueueError {
  const message = `the server ${follower.connection.getServer()} has lost records: restore its data from a copy, or run \`relais queue rebuild\``;
  follower.failure = new QueueError("damaged", message);
  return follower.failure;
}

async function catchUp(follower: Follower, target: number): Promise<void> {
  const { manager, names } = follower;
  const countMissing = (): number => target - follower.reader.state.seq;
  while ((countMissing() > 0 || follower.reopening !== null) && follower.failure === null) {
    if (follower.reopening !== null) await follower.reopening;
    else if (countMissing() > READ_SINGLY) await waitForRecords(follower);
    else {
      const { reader } = follower;
      const seq = reader.state.seq + 1;
      const message = await callServer(follower, () => manager.streams.getMessage(names.log, { seq }));
      if (message !== null) takeMessage(follower, reader, { seq, text: message.string() });
      else if (reader === follower.reader && reader.state.seq < seq) await reopenAt(follower, seq);
    }
  }
}

/** A record that is not there was removed with all before it, or is lost. */
async function reopenAt(follower: Follower, seq: number): Promise<void> {
  await reopen(follower);
  if (follower.reader.state.seq < seq) throw lostRecords(follower);
}

async function waitForRecords({ waiters, timeoutMs, connection }: Follower): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const wake = (): void => {
      waiters.delete(wake);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiters.delete(wake);
      reject(explainNats(new Error("it does not send the records"), connection.getServer()));
    }, timeoutMs);
    waiters.add(wake);
  });
}

/**
 * The log of a queue as a stream. A record is one message, and its number is that of the message: the server takes it only
 * if it follows the newest record that its writer knew, so a decision with an old state is refused and made again.
 */

/** Each time, another process recorded something: this many are far more than there can be. */
const TRIES_MAX = 1000;
const ON_ITS_WAY_MS = 20;

export async function openNatsLog(options: NatsLogOptions): Promise<QueueLog> {
  const { connection, timeoutMs: timeout } = options;
  const manager = await callServer(options, () => jetstreamManager(connection, { timeout, checkAPI: false }));
  const follower: Follower = {
    ...options,
    by: randomBytes(6).toString("hex"),
    client: jetstream(connection, { timeout }),
    manager,
    reader: { ...(await openNewestPosition({ ...options, manager })), messages: null, isBehind: false },
    reopening: null,
    isClosed: false,
    pending: null,
    sealed: null,
    cutting: null,
    failure: null,
    waiters: new Set(),
  };
  await listen(follower, follower.reader);
  await refresh(follower);
  let turn: Promise<unknown> = Promise.resolve();
  // One after the other, so that two decisions of one process never mix.
  const take: QueueLog["record"] = (decide) => {
    const done = turn.then(() => record(follower, decide));
    turn = done.catch(() => null);
    return done;
  };
  return {
    known: () => readFollowed(follower),
    refresh: () => refresh(follower),
    record: async (decide) => {
      const seq = await take(decide);
      if (seq !== null && isLong(follower)) cut(follower, take);
      return seq;
    },
    sync: async () => {}, // The server has answered each record.
    close: async () => {
      follower.isClosed = true;
      await follower.cutting;
      await follower.reader.messages?.close();
    },
  };
}

/** Twice the number of jobs, so that writing a large snapshot stays a small part of the work. */
function isLong({ cut: limit, reader: { state, first } }: Follower): boolean {
  return limit !== null && state.seq - first >= Math.max(limit.recordsMax, 2 * state.jobs.size);
}

/** Nobody waits for it, and where it fails the log stays long. */
function cut(follower: Follower, take: QueueLog["record"]): void {
  const { generation } = follower.reader.state;
  const perform = async (): Promise<void> => {
    const seq = await take((newest) => (newest.generation === generation ? { kind: "sealed" } : null));
    const text = follower.sealed;
    follower.sealed = null;
    if (seq !== null && text !== null) await cutLog(follower, seq, text);
  };
  follower.cutting ??= perform()
    .catch(() => null)
    .finally(() => (follower.cutting = null));
}

async function record(follower: Follower, decide: (state: QueueState) => QueueEvent | null): Promise<number | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    await follower.reopening;
    const { seq } = readFollowed(follower);
    const event = decide(readFollowed(follower));
    if (event === null && (await refresh(follower)).seq === seq) return null;
    const done = event === null ? null : await append(follower, event);
    if (done !== null) return done;
  }
  throw new QueueError("unwritable", `the queue changed ${TRIES_MAX} times meanwhile: try again`);
}

/** Null where another record got the number. */
async function append(follower: Follower, event: QueueEvent): Promise<number | null> {
  const { reader, client, names, by, now, timeoutMs: timeout } = follower;
  const seq = reader.state.seq + 1;
  const { text, sum } = writeRecordText({ v: QUEUE_VERSION, seq, at: now(), by, event }, reader.sum);
  const pending = { seq, sum, isOurs: false };
  follower.pending = pending;
  try {
    await client.publish(names.logSubject, text, { expect: { lastSequence: seq - 1 }, timeout });
    takeMessage(follower, reader, { seq, text });
    return seq;
  } catch (error) {
    if (!isOutdated(error) && !isUncertain(error)) throw explainNats(error, follower.connection.getServer());
    await refresh(follower);
    // An answer may be lost although the record was written.
    if (pending.isOurs) return seq;
    // Several servers refuse it, too, while another record is on its way between them and nobody can read it yet.
    if (isOutdated(error) && follower.reader.state.seq < seq) await pause(ON_ITS_WAY_MS);
    return null;
  } finally {
    follower.pending = null;
  }
}
