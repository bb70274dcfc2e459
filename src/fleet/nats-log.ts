/**
 * The log of a queue as a stream. A record is one message, and its number is that of the message: the server takes it only
 * if it follows the newest record that its writer knew, so a decision with an old state is refused and made again.
 */
import { randomBytes } from "node:crypto";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { QueueError } from "../queue/pure/queue-error.ts";
import { QUEUE_VERSION, type QueueEvent } from "../queue/pure/queue-record.ts";
import type { QueueState } from "../queue/pure/queue-state.ts";
import type { QueueLog } from "../queue/engine-ports.ts";
import { writeRecordText } from "../queue/record-text.ts";
import {
  readFollowed,
  type Follower,
  listen,
  type NatsLogOptions,
  pause,
  refresh,
  takeMessage,
} from "./nats-follower.ts";
import { callServer, explainNats, isOutdated, isUncertain } from "./nats-link.ts";
import { cutLog, openNewestPosition } from "./nats-snapshot.ts";

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
