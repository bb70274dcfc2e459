/**
 * The log of a queue as a stream. A record is one message, and its number is that of the message: the server takes it only
 * if it follows the newest record that its writer knew, so a decision with an old state is refused and made again.
 */
import { randomBytes } from "node:crypto";
import {
  type ConsumerMessages,
  DeliverPolicy,
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
} from "@nats-io/jetstream";
import { QueueError } from "../../contract/queue/queue-error.ts";
import { QUEUE_VERSION, type QueueEvent } from "../../contract/queue/queue-record.ts";
import { evolveQueue } from "../../core/queue/evolve-queue.ts";
import { emptyQueue, type QueueState } from "../../core/queue/queue-state.ts";
import type { QueueLog } from "../engine/engine-ports.ts";
import { readRecordText, writeRecordText } from "../engine/record-text.ts";
import { callServer, explainNats, isOutdated, isUncertain, type NatsLink } from "./nats-link.ts";

/** Each time, another process recorded something: this many are far more than there can be. */
const TRIES_MAX = 1000;
/** So few missing records are read one by one; the consumer brings more of them faster. */
const READ_SINGLY = 20;
const LOOKS_MAX = 10;
const LOOK_MS = 200;
const ON_ITS_WAY_MS = 20;

interface NatsLogOptions extends NatsLink {
  /** The wall clock, as a timestamp in UTC. */
  readonly now: () => string;
  readonly onRecords: () => void;
}

interface Follower extends NatsLogOptions {
  /** Names this process in its records. */
  readonly by: string;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly state: QueueState;
  /** Of the newest record. */
  sum: string;
  /** A record of this process whose answer is awaited. */
  pending: { readonly seq: number; readonly sum: string; isOurs: boolean } | null;
  /** Nothing is decided any more. */
  failure: QueueError | null;
  readonly waiters: Set<() => void>;
}

export async function openNatsLog(options: NatsLogOptions): Promise<QueueLog> {
  const { connection, timeoutMs: timeout } = options;
  const follower: Follower = {
    ...options,
    by: randomBytes(6).toString("hex"),
    client: jetstream(connection, { timeout }),
    manager: await callServer(options, () => jetstreamManager(connection, { timeout, checkAPI: false })),
    state: emptyQueue(),
    sum: "",
    pending: null,
    failure: null,
    waiters: new Set(),
  };
  const messages = await callServer(options, () => listen(follower));
  await refresh(follower);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    known: () => checked(follower),
    refresh: () => refresh(follower),
    record: (decide) => {
      // One after the other, so that two decisions of one process never mix.
      const done = turn.then(() => record(follower, decide));
      turn = done.catch(() => null);
      return done;
    },
    sync: async () => {}, // The server has answered each record.
    close: async () => {
      await messages.close();
    },
  };
}

function checked({ failure, state }: Follower): QueueState {
  if (failure !== null) throw failure;
  return state;
}

async function listen(follower: Follower): Promise<ConsumerMessages> {
  const { client, names } = follower;
  const consumer = await client.consumers.get(names.log, { deliver_policy: DeliverPolicy.All });
  return consumer.consume({
    expires: 5000,
    idle_heartbeat: 1000,
    max_messages: 1000,
    callback: (message) => apply(follower, message.seq, message.string()),
  });
}

/** Takes the next record; one that is known already changes nothing. */
function apply(follower: Follower, seq: number, text: string): void {
  const { state, pending, waiters, onRecords } = follower;
  if (seq !== state.seq + 1 || follower.failure !== null) return;
  try {
    const read = readRecordText(text, { seq: state.seq, sum: follower.sum });
    if (read === null)
      throw new QueueError("damaged", `record ${seq} of the queue is none: restore the server's data from a copy`);
    evolveQueue(state, read.record);
    follower.sum = read.sum;
    if (pending?.seq === seq) pending.isOurs = read.sum === pending.sum;
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    follower.failure = error;
  }
  for (const wake of waiters) wake();
  onRecords();
}

async function refresh(follower: Follower): Promise<QueueState> {
  const before = checked(follower).seq;
  let last = await readLast(follower);
  // A new leader of several servers may not have all records ready at once.
  for (let looks = 0; last < before && looks < LOOKS_MAX; looks += 1) {
    await pause(LOOK_MS);
    last = await readLast(follower);
  }
  if (last < before) throw lostRecords(follower);
  await catchUp(follower, last);
  return checked(follower);
}

function pause(ms: number): Promise<void> {
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
  const { state, manager, names } = follower;
  while (state.seq < target && follower.failure === null) {
    if (target - state.seq > READ_SINGLY) await waitForRecords(follower);
    else {
      const seq = state.seq + 1;
      const message = await callServer(follower, () => manager.streams.getMessage(names.log, { seq }));
      if (message === null) throw lostRecords(follower);
      apply(follower, seq, message.string());
    }
  }
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

async function record(follower: Follower, decide: (state: QueueState) => QueueEvent | null): Promise<number | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { seq } = checked(follower);
    const event = decide(follower.state);
    if (event === null && (await refresh(follower)).seq === seq) return null;
    const done = event === null ? null : await append(follower, event);
    if (done !== null) return done;
  }
  throw new QueueError("unwritable", `the queue changed ${TRIES_MAX} times meanwhile: try again`);
}

/** Null where another record got the number. */
async function append(follower: Follower, event: QueueEvent): Promise<number | null> {
  const { state, client, names, by, now, timeoutMs: timeout } = follower;
  const seq = state.seq + 1;
  const { text, sum } = writeRecordText({ v: QUEUE_VERSION, seq, at: now(), by, event }, follower.sum);
  const pending = { seq, sum, isOurs: false };
  follower.pending = pending;
  try {
    await client.publish(names.logSubject, text, { expect: { lastSequence: seq - 1 }, timeout });
    apply(follower, seq, text);
    return seq;
  } catch (error) {
    if (!isOutdated(error) && !isUncertain(error)) throw explainNats(error, follower.connection.getServer());
    await refresh(follower);
    // An answer may be lost although the record was written.
    if (pending.isOurs) return seq;
    // Several servers refuse it, too, while another record is on its way between them and nobody can read it yet.
    if (isOutdated(error) && state.seq < seq) await pause(ON_ITS_WAY_MS);
    return null;
  } finally {
    follower.pending = null;
  }
}
