/**
 * Beats of workers as rows of a bucket. No clock of another machine counts: a worker is silent for as long as this process
 * has seen the same revision of its row. A worker counts from the moment before it sent its last answered beat, so it
 * knows the end of its lease before anybody else does. The age that people see is by the server's own clock.
 */
import { DeliverPolicy, type JetStreamClient, jetstream } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import { readUptimeMs } from "../journal/beats.ts";
import type { Leash } from "../records/session-process.ts";
import type { Beats, OwnBeats } from "../queue/engine-ports.ts";
import { watchSilence } from "../queue/open-engine.ts";
import { isPassing } from "../queue/pure/engine.ts";
import { callServer, type NatsLink } from "./nats-link.ts";

const BEATS_A_LEASE = 6;

interface NatsBeats extends Beats {
  readonly close: () => void;
}

interface BeatsOptions extends NatsLink {
  readonly rows: KV;
  readonly readSteadyMs: () => number;
}

const nameRow = (worker: string): string => Buffer.from(worker).toString("base64url");

interface Seen {
  readonly revision: number;
  /** When the server got it, by its clock. */
  readonly serverMs: number;
}

export async function openNatsBeats(options: BeatsOptions): Promise<NatsBeats> {
  const { rows, readSteadyMs } = options;
  const seen = new Map<string, Seen>();
  const sightings = watchSilence(readSteadyMs);
  const see = (key: string, { revision, serverMs }: Seen): void => void seen.set(key, { revision, serverMs });
  const { readServerMs, close } = await callServer(options, () => watchRows(options, see));
  const findRevision = (worker: string): number | null => seen.get(nameRow(worker))?.revision ?? null;
  return {
    open: (worker) => openOwnBeats(options, worker),
    countSilence: ({ id }) => sightings.countSilence(id, findRevision(id)),
    confirmSilence: async ({ id }) => {
      const before = findRevision(id);
      const entry = await callServer(options, () => rows.get(nameRow(id)));
      if (entry !== null) see(entry.key, { revision: entry.revision, serverMs: entry.created.getTime() });
      sightings.countSilence(id, findRevision(id));
      return entry === null || entry.revision === before;
    },
    readAge: ({ id }) => {
      const last = seen.get(nameRow(id));
      return last === undefined ? null : Math.max(0, readServerMs() - last.serverMs);
    },
    forget: async (worker) => {
      // A submitter may not remove it: the bucket does, after a day.
      await callServer(options, () => rows.delete(nameRow(worker))).catch((error: unknown) => {
        if (isPassing(error)) throw error;
      });
    },
    close,
  };
}

interface RowsWatch {
  readonly readServerMs: () => number;
  readonly close: () => void;
}

/** Resolves once all rows that are there were seen. What is missed later is found by the look at a late worker's row. */
async function watchRows(
  { connection, names, readSteadyMs, timeoutMs: timeout }: BeatsOptions,
  see: (key: string, seen: Seen) => void,
): Promise<RowsWatch> {
  const client: JetStreamClient = jetstream(connection, { timeout });
  const before = readSteadyMs();
  const wish = { deliver_policy: DeliverPolicy.LastPerSubject, filter_subjects: `$KV.${names.beats}.>` };
  const consumer = await client.consumers.get(`KV_${names.beats}`, wish);
  const { created, num_pending: count } = await consumer.info(true);
  // The server named the time when it made the consumer: between both looks at the own clock.
  const aheadMs = Date.parse(created) - (before + readSteadyMs()) / 2;
  let left = count;
  let finish: (() => void) | null = null;
  const messages = await consumer.consume({
    expires: 5000,
    idle_heartbeat: 1000,
    callback: ({ subject, seq, time }) => {
      see(subject.slice(subject.lastIndexOf(".") + 1), { revision: seq, serverMs: time.getTime() });
      left -= 1;
      if (left <= 0) finish?.();
    },
  });
  await new Promise<void>((resolve) => {
    finish = resolve;
    if (left <= 0) resolve();
    else setTimeout(resolve, timeout).unref();
  });
  return { readServerMs: () => readSteadyMs() + aheadMs, close: () => void messages.close() };
}

interface Heart extends BeatsOptions {
  readonly row: string;
  readonly listeners: Set<(leash: Leash) => void>;
  leaseMs: number;
  timer: NodeJS.Timeout | null;
  /** When the last answered beat was sent, by `readUptimeMs`. */
  beatMs: number;
}

function openOwnBeats(options: BeatsOptions, worker: string): OwnBeats {
  const heart: Heart = {
    ...options,
    row: nameRow(worker),
    listeners: new Set(),
    leaseMs: Number.POSITIVE_INFINITY,
    timer: null,
    beatMs: Number.NEGATIVE_INFINITY,
  };
  return {
    beat: async () => {
      if (readUptimeMs() - heart.beatMs > heart.leaseMs / BEATS_A_LEASE) await beat(heart);
    },
    shortenLease: (leaseMs) => {
      if (leaseMs >= heart.leaseMs) return;
      heart.leaseMs = leaseMs;
      if (heart.timer !== null) clearInterval(heart.timer);
      // A beat without an answer is no beat: the leash ends the work.
      heart.timer = setInterval(() => void beat(heart).catch(() => null), leaseMs / BEATS_A_LEASE);
      heart.timer.unref();
    },
    leash: (listener) => {
      heart.listeners.add(listener);
      if (heart.beatMs > 0) listener(measureLeash(heart));
      return () => void heart.listeners.delete(listener);
    },
    close: async (isIdle) => {
      if (heart.timer !== null) clearInterval(heart.timer);
      if (isIdle && heart.beatMs > 0) await callServer(options, () => heart.rows.delete(heart.row)).catch(() => null);
    },
  };
}

async function beat(heart: Heart): Promise<void> {
  const sentMs = readUptimeMs();
  await callServer(heart, () => heart.rows.put(heart.row, "beat"));
  heart.beatMs = Math.max(heart.beatMs, sentMs);
  for (const listener of heart.listeners) listener(measureLeash(heart));
}

/** Others wait for the whole lease: the rest of it is for the end itself. */
function measureLeash({ beatMs, leaseMs }: Heart): Leash {
  return { stopMs: beatMs + (leaseMs * 4) / 6, endMs: beatMs + (leaseMs * 5) / 6 };
}
