/** The queue of a team on several machines: one repository on a server of NATS JetStream. docs/fleet.md says how to make one. */
import { jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Objm, setSha256Backend } from "@nats-io/obj";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Engine } from "../queue/pure/engine.ts";
import { readClockMs, readSteadyMs } from "../system/clock.ts";
import { readOwnIdentity } from "../process/process-identity.ts";
import { findDueInCron } from "../queue/cron.ts";
import { openChanges } from "../queue/engine-parts.ts";
import { openEngine } from "../queue/open-engine.ts";
import { openNatsBeats } from "./nats-beats.ts";
import { callServer, type NatsLink, type NatsNames, refuseOldServer } from "./nats-link.ts";
import { openNatsLog } from "./nats-log.ts";
import { openNatsStore } from "./nats-store.ts";
import { openTeamLimits } from "./nats-team.ts";

/** For what time alone changes: a lease, a start time, a schedule. */
const LOOK_MS = 250;
const TIMEOUT_MS = 5000;
/** Read in a part of a second. */
const RECORDS_MAX = 2000;

export interface NatsEngineOptions {
  /** It stays open when the engine is closed. */
  readonly connection: NatsConnection;
  readonly names: NatsNames;
  /** The bucket that all repositories share, and its connection; null for limits of this repository alone. */
  readonly team: { readonly connection: NatsConnection; readonly bucket: string } | null;
  /** Whether this member may cut a long log; after so many records, unless a test names fewer. */
  readonly canCut: boolean;
  readonly recordsMax?: number;
  /** A double for tests. */
  readonly readClockMs?: () => number;
  readonly timeoutMs?: number;
}

export async function openNatsEngine(options: NatsEngineOptions): Promise<Engine> {
  const { connection, names, team, canCut, recordsMax = RECORDS_MAX, timeoutMs = TIMEOUT_MS } = options;
  refuseOldServer(connection);
  setSha256Backend("native"); // Node's own hash: the other one takes most of the time of a large attachment.
  const link: NatsLink = { connection, names, timeoutMs };
  const clocks = { readClockMs: options.readClockMs ?? readClockMs, readSteadyMs, findDue: findDueInCron };
  const now = (): string => new Date(clocks.readClockMs()).toISOString();
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of listeners) listener();
  };
  const changes = openChanges(listeners, () => {
    const timer = setInterval(wake, LOOK_MS);
    return () => clearInterval(timer);
  });
  const durable = await readDurability(link);
  const log = await openNatsLog({ ...link, now, onRecords: wake, cut: canCut ? { recordsMax } : null });
  const objects = await callServer(link, () => new Objm(connection).open(names.objects));
  const rows = await callServer(link, () => new Kvm(connection).open(names.beats));
  const beats = await openNatsBeats({ ...link, rows, readSteadyMs });
  const store = await openNatsStore({ ...link, ...clocks, log, changes, objects });
  const limits = team === null ? {} : { limits: await openLimits(team, now) };
  const identity = await readOwnIdentity();
  const facts = { name: "nats", shared: true, durable } as const;
  const engine = openEngine({ ...clocks, now, identity, log, store, beats, changes, facts, ...limits });
  return {
    ...engine,
    close: async () => {
      await engine.close();
      beats.close();
    },
  };
}

async function openLimits(
  { connection, bucket }: NonNullable<NatsEngineOptions["team"]>,
  now: () => string,
): Promise<Engine["limits"]> {
  const rows = await callServer({ connection }, () => new Kvm(connection).open(bucket));
  return openTeamLimits({ connection }, rows, now);
}

/** Only several servers are known to keep an answered record through a power cut: a client cannot ask how one syncs. */
async function readDurability(link: NatsLink): Promise<Engine["facts"]["durable"]> {
  const { connection, names, timeoutMs: timeout } = link;
  const { config } = await callServer(link, async () =>
    (await jetstreamManager(connection, { timeout, checkAPI: false })).streams.info(names.log),
  );
  return config.num_replicas > 1 ? "replicated" : "deferred";
}
