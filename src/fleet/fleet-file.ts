import { join } from "node:path";
import { createUser } from "@nats-io/nkeys";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { Fleet, type FleetAccount, FleetCredentials } from "../queue/pure/fleet.ts";
import type { Environment } from "../base/environment.ts";
import { nameAddress, type UserSettings } from "../queue/pure/user-settings.ts";
import { type ServerPlace, writeServerConfig } from "../queue/pure/server-config.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readPrivate, writePrivate } from "../system/private-document.ts";
import { countRoom, makeToken } from "../journal/known-jobs.ts";
import { locateStateRoot } from "../journal/state-directory.ts";
import { connect, type NatsConnection, nkeyAuthenticator } from "@nats-io/transport-node";
import { listenTo } from "../system/follow-file.ts";
import { QueueError } from "../queue/pure/engine.ts";
import { readBounded } from "../system/bounded-file.ts";

/** `fleet.json`: the accounts of a queue's server, and who is a member of which one. */

export const FLEET_FILE = "fleet.json";
const SERVER_FILE = "server.conf";
const STORE_FOLDER = "streams";

/** Where the server of this user's queue keeps everything, unless the person names another folder. */
export function locateServerFolder(environment: Environment): string {
  return join(locateStateRoot(environment), "server");
}

interface UserKey {
  readonly public: string;
  readonly seed: string;
}

export function makeUserKey(): UserKey {
  const pair = createUser();
  return { public: pair.getPublicKey(), seed: Buffer.from(pair.getSeed()).toString("latin1") };
}

/** The token of a repository's address: part of all its names on the server. */
export function makeRepositoryToken(address: string): string {
  return makeToken(nameAddress(address) ?? address);
}

export async function readFleet(folder: string): Promise<Fleet | CommandFailure | null> {
  const read = await readPrivate(join(folder, FLEET_FILE), Fleet);
  if (read.kind === "read") return read.value;
  if (read.kind === "missing") return null;
  return refuse({ cause: "fleet_unusable", message: `${read.reason}.`, next: "Restore the file, or move it away." });
}

export function writeFleet(folder: string, fleet: Fleet): Promise<void> {
  return writePrivate(join(folder, FLEET_FILE), fleet);
}

/** For servers that make no streams. */
export function hideSeeds(fleet: Fleet): Fleet {
  const { cluster, accounts } = fleet;
  return {
    ...fleet,
    accounts: accounts.map(hideSeed),
    ...(cluster === undefined ? {} : { cluster: hideSeed(cluster) }),
  };
}

function hideSeed<T extends { readonly owner: FleetAccount["owner"] }>(one: T): T {
  return { ...one, owner: { public: one.owner.public } };
}

export function makeAccount(repository: string | null): FleetAccount {
  return { repository, owner: makeUserKey(), members: [] };
}

/** Answers with the path. */
export async function writeConfigOfServer(folder: string, fleet: Fleet, version: string): Promise<string> {
  const bytesMax = countRoom(folder, STORE_FOLDER);
  const place: ServerPlace = { version, folder, bytesMax, nameToken: makeRepositoryToken };
  const path = join(folder, SERVER_FILE);
  await writeAtomic(path, writeServerConfig(fleet, place), { mode: 0o600 });
  return path;
}

export interface FleetLink {
  readonly url: string;
  /** PEM of the authority; null for those of the system. */
  readonly ca: string | null;
  readonly seed: string;
}

const TIMEOUT_MS = 5000;

/** One connection to one account. The keys of others do not exist for it. */
export async function connectFleet({ url, ca, seed }: FleetLink, name: string): Promise<NatsConnection> {
  const servers = url.split(",");
  await findSpeaker(servers);
  return connect({
    servers,
    name,
    authenticator: nkeyAuthenticator(Buffer.from(seed, "latin1")),
    timeout: TIMEOUT_MS,
    maxReconnectAttempts: -1, // A worker waits for its server; its sessions end by themselves meanwhile.
    ...(url.startsWith("tls://") ? { tls: ca === null ? {} : { ca } } : {}),
  });
}

/** The client leaves a connection behind to a machine that says nothing, and the process would wait for it. */
async function findSpeaker(servers: readonly string[]): Promise<void> {
  const heard = await Promise.all(servers.map((server) => listenTo(server, TIMEOUT_MS)));
  if (heard.every((trouble) => trouble !== null)) throw new Error(heard[0] ?? "it says nothing");
}

const PEM_BYTES_MAX = 1024 * 1024;

export type QueueSettings = NonNullable<UserSettings["queue"]>;

/** The keys of this machine, and how to reach the server. Throws a `QueueError` where the files cannot be used. */
export async function readFleetKeys({ url, ca, credentials }: QueueSettings) {
  const read = await readPrivate(credentials, FleetCredentials);
  if (read.kind === "missing") throw new QueueError("refused", `there is no file ${credentials} (queue.credentials)`);
  if (read.kind === "unusable") throw new QueueError("refused", read.reason);
  const pem = ca === undefined ? null : await readBounded(ca, PEM_BYTES_MAX);
  if (pem !== null && pem.kind !== "read") throw new QueueError("refused", `${ca} cannot be read (queue.ca)`);
  return { url, keys: read.value, ca: pem === null ? null : pem.data.toString("utf8") };
}
