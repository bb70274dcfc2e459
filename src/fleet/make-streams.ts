/** The streams of an account; its owner makes them, members cannot. */
import { type JetStreamManager, jetstreamManager, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Objm } from "@nats-io/obj";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Fleet, FleetAccount, ServerAddress } from "../queue/pure/fleet.ts";
import { canSync, nameFleet, TEAM } from "../queue/pure/server-config.ts";
import { connectFleet, makeRepositoryToken } from "./fleet-file.ts";

/** Makes what is missing, in every account. What is there already stays as it is. */
export async function makeStreams(fleet: Fleet, ca: string): Promise<void> {
  const replicas = fleet.cluster?.servers.length ?? 1;
  for (const { repository, owner } of fleet.accounts)
    await withOwner({ fleet, ca, owner }, async (connection) => {
      if (repository === null) await makeTeam(connection, fleet, replicas);
      else await makeRepositoryStreams(connection, makeRepositoryToken(repository), replicas);
    });
}

interface OwnerLink {
  readonly fleet: Fleet;
  readonly ca: string;
  readonly owner: FleetAccount["owner"];
}

export async function withOwner<T>(
  { fleet, ca, owner: { seed = "" } }: OwnerLink,
  use: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectFleet({ url: writeServerUrl(fleet), ca, seed }, "owner");
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** As `sync_interval` has it. */
export const ALWAYS = "always";

async function makeTeam(connection: NatsConnection, { budget }: Fleet, replicas: number): Promise<void> {
  const rows = await new Kvm(connection).create(TEAM.bucket, { storage: StorageType.File, replicas });
  // A member cannot ask the server for it.
  await rows.put(TEAM.syncRow, canSync(connection.info?.version ?? "0") ? ALWAYS : "deferred");
  if (budget !== undefined) await rows.put(TEAM.capRow, JSON.stringify(budget));
  else if ((await rows.get(TEAM.capRow)) !== null) await rows.delete(TEAM.capRow);
}

/** Of this server alone. */
export function writeServerUrl({ host, port }: ServerAddress): string {
  return `tls://${host}:${port}`;
}

/** As members have it. */
export function writeFleetUrl({ cluster, host, port }: Fleet): string {
  return (cluster?.servers ?? [{ host, port }]).map(writeServerUrl).join(",");
}

/** Each process of a worker has a row of its own, and is silent long before. */
const BEATS_TTL_MS = 24 * 60 * 60 * 1000;

async function makeRepositoryStreams(connection: NatsConnection, token: string, replicas: number): Promise<void> {
  const { log, logSubject, events, eventSubjects, beats, objects, snapshots } = nameFleet(token);
  const manager = await jetstreamManager(connection);
  const kinds = { storage: StorageType.File, replicas };
  await makeStream(manager, { name: log, subjects: [logSubject], num_replicas: replicas });
  await makeStream(manager, { name: events, subjects: [eventSubjects], num_replicas: replicas });
  await new Kvm(connection).create(beats, { ...kinds, history: 1, ttl: BEATS_TTL_MS });
  for (const store of [objects, snapshots]) await new Objm(connection).create(store, kinds);
}

async function makeStream(
  manager: JetStreamManager,
  stream: { readonly name: string; readonly subjects: string[]; readonly num_replicas: number },
): Promise<void> {
  const there = await manager.streams.list().next();
  if (there.some(({ config }) => config.name === stream.name)) return;
  const kinds = { retention: RetentionPolicy.Limits, storage: StorageType.File };
  await manager.streams.add({ ...stream, ...kinds, allow_direct: true, deny_delete: true });
}
