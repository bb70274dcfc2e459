/** The streams of an account; its owner makes them, members cannot. */
import { type JetStreamManager, jetstreamManager, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Objm } from "@nats-io/obj";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Fleet } from "../../contract/queue/fleet.ts";
import { nameFleet, TEAM } from "../../core/queue/fleet-names.ts";
import { connectFleet } from "./connect-fleet.ts";
import { makeRepositoryToken } from "./fleet-file.ts";

/** Makes what is missing, in every account. What is there already stays as it is. */
export async function makeStreams(fleet: Fleet, ca: string): Promise<void> {
  const url = writeFleetUrl(fleet);
  for (const { repository, owner } of fleet.accounts) {
    const connection = await connectFleet({ url, ca, seed: owner.seed }, "owner");
    try {
      if (repository === null) await makeTeam(connection, fleet);
      else await makeRepositoryStreams(connection, makeRepositoryToken(repository));
    } finally {
      await connection.close();
    }
  }
}

async function makeTeam(connection: NatsConnection, { budget }: Fleet): Promise<void> {
  const rows = await new Kvm(connection).create(TEAM.bucket, { storage: StorageType.File });
  if (budget !== undefined) await rows.put(TEAM.capRow, JSON.stringify(budget));
  else if ((await rows.get(TEAM.capRow)) !== null) await rows.delete(TEAM.capRow);
}

export function writeFleetUrl({ host, port }: Pick<Fleet, "host" | "port">): string {
  return `tls://${host}:${port}`;
}

/** Each process of a worker has a row of its own, and is silent long before. */
const BEATS_TTL_MS = 24 * 60 * 60 * 1000;

async function makeRepositoryStreams(connection: NatsConnection, token: string): Promise<void> {
  const { log, logSubject, events, eventSubjects, beats, objects, snapshots } = nameFleet(token);
  const manager = await jetstreamManager(connection);
  await makeStream(manager, log, logSubject);
  await makeStream(manager, events, eventSubjects);
  await new Kvm(connection).create(beats, { storage: StorageType.File, history: 1, ttl: BEATS_TTL_MS });
  for (const store of [objects, snapshots]) await new Objm(connection).create(store, { storage: StorageType.File });
}

async function makeStream(manager: JetStreamManager, name: string, subject: string): Promise<void> {
  const there = await manager.streams.list().next();
  if (there.some(({ config }) => config.name === name)) return;
  const kinds = { retention: RetentionPolicy.Limits, storage: StorageType.File };
  await manager.streams.add({ name, subjects: [subject], ...kinds, allow_direct: true, deny_delete: true });
}
