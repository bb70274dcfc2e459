/**
 * Beats of workers as rows of a bucket. No clock of another machine counts: a worker is silent for as long as this process
 * has seen the same revision of its row. A worker counts from the moment before it sent its last answered beat, so it
 * knows the end of its lease before anybody else does.
 */
import type { KV, KvEntry } from "@nats-io/kv";
import { readUptimeMs } from "../../io/queue/beats.ts";
import type { Leash } from "../../contract/queue/engine.ts";
import type { Beats, OwnBeats } from "../engine/engine-ports.ts";
import { openSightings } from "../engine/sightings.ts";
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

export async function openNatsBeats(options: BeatsOptions): Promise<NatsBeats> {
  const { rows, readSteadyMs } = options;
  const revisions = new Map<string, number>();
  const sightings = openSightings(readSteadyMs);
  const see = ({ key, revision }: Pick<KvEntry, "key" | "revision">): void => void revisions.set(key, revision);
  const watched = await callServer(options, () => rows.watch());
  const listen = async (): Promise<void> => {
    for await (const entry of watched) see(entry);
  };
  void listen().catch(() => null); // A look at a late worker's row finds what is missed here.
  const findRevision = (worker: string): number | null => revisions.get(nameRow(worker)) ?? null;
  return {
    open: (worker) => openOwnBeats(options, worker),
    countSilence: ({ id }) => sightings.countSilence(id, findRevision(id)),
    confirmSilence: async ({ id }) => {
      const before = findRevision(id);
      const entry = await callServer(options, () => rows.get(nameRow(id)));
      if (entry !== null) see(entry);
      sightings.countSilence(id, findRevision(id));
      return entry === null || entry.revision === before;
    },
    isExact: ({ id }) => findRevision(id) !== null,
    forget: async (worker) => {
      await callServer(options, () => rows.delete(nameRow(worker)));
    },
    close: () => watched.stop(),
  };
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
