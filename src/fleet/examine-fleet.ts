/** What a member finds out about the server of its queue, with its own keys. */
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import { nameFleet, TEAM } from "../queue/pure/server-config.ts";
import { readClockMs } from "../system/clock.ts";
import { connectFleet, type FleetLink, makeRepositoryToken, type QueueSettings, readFleetKeys } from "./fleet-file.ts";
import { ALWAYS } from "./make-streams.ts";

export interface FleetFacts {
  readonly version: string;
  /** Whether the owner's `relais queue serve` told the server to sync each write. */
  readonly isSynced: boolean;
  /** How far our clock is before that of the server; negative behind it. */
  readonly aheadMs: number;
  readonly repositories: readonly RepositoryFacts[];
}

interface RepositoryFacts {
  readonly address: string;
  /** Copies of the log. */
  readonly copies: number;
  /** Rights that a member should not have. */
  readonly excess: readonly string[];
}

const PROBE_MS = 1000;

/** Throws where the server does not let us in; a `QueueError` where our own files cannot be used. */
export async function examineFleet(settings: QueueSettings): Promise<FleetFacts> {
  const { url, keys, ca } = await readFleetKeys(settings);
  const link = (seed: string): FleetLink => ({ url, ca, seed });
  const team = await withConnection(link(keys.team), keys.name, async (connection) => ({
    version: connection.info?.version ?? "0",
    ...(await readTeam(connection, keys.name)),
  }));
  const repositories: RepositoryFacts[] = [];
  for (const { address, seed } of keys.repositories)
    repositories.push(
      await withConnection(link(seed), keys.name, (connection) => examineRepository(connection, address)),
    );
  return { ...team, repositories };
}

async function withConnection<T>(
  link: FleetLink,
  name: string,
  use: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectFleet(link, name);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

async function readTeam(connection: NatsConnection, name: string): Promise<Pick<FleetFacts, "aheadMs" | "isSynced">> {
  const bucket = await new Kvm(jetstream(connection, { checkAPI: false })).open(TEAM.bucket);
  const sync = await bucket.get(TEAM.syncRow);
  return { isSynced: sync?.string() === ALWAYS, aheadMs: await measureClock(bucket, name) };
}

async function measureClock(bucket: KV, name: string): Promise<number> {
  const before = readClockMs();
  await bucket.put(`clock.${name}`, "");
  const between = (before + readClockMs()) / 2;
  const entry = await bucket.get(`clock.${name}`);
  return entry === null ? 0 : between - entry.created.getTime();
}

/** Tries what only the owner may do; the names exist nowhere, so that nothing happens where it is allowed. */
async function examineRepository(connection: NatsConnection, address: string): Promise<RepositoryFacts> {
  const { log } = nameFleet(makeRepositoryToken(address));
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const { config } = await manager.streams.info(log);
  const calls = ["STREAM.DELETE.relais_probe", "STREAM.NAMES", "CONSUMER.NAMES.relais_probe"];
  const answers = await Promise.all(
    calls.map((call) => connection.request(`$JS.API.${call}`, "", { timeout: PROBE_MS }).catch(() => null)),
  );
  return { address, copies: config.num_replicas, excess: calls.filter((_, at) => answers[at] !== null) };
}
