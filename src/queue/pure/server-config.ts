import type { Fleet, FleetAccount, FleetRole } from "./fleet.ts";
import { isAtLeast } from "../../base/version-order.ts";

/** The names of everything that a repository has on the server. `token` is that of the repository. */
export interface FleetNames {
  readonly account: string;
  /** The stream of the records, and its only subject. */
  readonly log: string;
  readonly logSubject: string;
  /** The stream of the journal lines; each attempt of a job has a subject. */
  readonly events: string;
  readonly eventSubjects: string;
  /** A bucket of keys and values. */
  readonly beats: string;
  /** An object store. */
  readonly objects: string;
  /** Another one, for snapshots of the log. */
  readonly snapshots: string;
}

export function nameFleet(token: string): FleetNames {
  return {
    account: `R_${token}`,
    log: `RELAIS_LOG_${token}`,
    logSubject: `relais.${token}.log`,
    events: `RELAIS_EV_${token}`,
    eventSubjects: `relais.${token}.ev.>`,
    beats: `relais_beat_${token}`,
    objects: `relais_obj_${token}`,
    snapshots: `relais_snap_${token}`,
  };
}

/** What all repositories share: limits of services, and the budget. */
export const TEAM = {
  account: "TEAM",
  bucket: "relais_team",
  /** The beginnings of the rows that members write. */
  memberRows: ["limit", "spent", "clock"],
  /** The cap of the budget. */
  capRow: "budget",
  /** How the server was told to sync, by the owner who started it. */
  syncRow: "sync",
} as const;

/** What three servers tell each other: who is a member, and which of them know it. */
export const SERVERS = {
  account: "SERVERS",
  bucket: "relais_servers",
  accountsRow: "accounts",
  knownRows: "known",
} as const;

/** The configuration of nats-server. Its language takes JSON, so that no text in it can be read as anything else. */

/** Below it, streams lack what the queue needs. */
export const SERVER_WANTED = [2, 9];
/** Since then every write can be synced before its answer. */
const SYNC_SINCE = [2, 10];

export function canSync(version: string): boolean {
  return isAtLeast(version, SYNC_SINCE);
}

export interface ServerPlace {
  readonly version: string;
  readonly folder: string;
  /** What the store has and could have on its disk. */
  readonly bytesMax: number;
  /** By the address of a repository. */
  readonly nameToken: (address: string) => string;
}

const GIB = 1024 ** 3;
/** Of all repositories; the defaults of the server are three quarters of the memory and most of the disk. */
const MEMORY_MAX = GIB / 8;
const DISK_MAX = 20 * GIB;
/** At its cap the server refuses a write and goes on; on a full disk it has to be restarted. */
const DISK_PART = 0.9;
const LOOPBACK = "localhost";

export function writeServerConfig(fleet: Fleet, { version, folder, bytesMax, nameToken }: ServerPlace): string {
  const sync = canSync(version) ? { sync_interval: "always" } : {};
  const host = fleet.host === LOOPBACK ? "127.0.0.1" : "0.0.0.0";
  const tls = { cert_file: `${folder}/server.pem`, key_file: `${folder}/server.key`, timeout: 5 };
  const config = {
    server_name: `relais-${1 + findOwnServer(fleet)}`,
    host,
    port: fleet.port,
    pid_file: `${folder}/server.pid`,
    max_connections: 1000,
    tls,
    jetstream: {
      store_dir: `${folder}/streams`,
      max_memory_store: MEMORY_MAX,
      max_file_store: Math.min(DISK_MAX, Math.floor(bytesMax * DISK_PART)),
      ...sync,
    },
    ...writeCluster(fleet, { host, tls: { ...tls, ca_file: `${folder}/ca.pem`, verify: true } }),
    accounts: Object.fromEntries([
      ...fleet.accounts.map((account) => writeAccount(account, nameToken)),
      ...writeServersAccount(fleet),
    ]),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** Servers speak to each other on another port, each with a certificate of the queue's own authority. */
const CLUSTER_PORT_BEYOND = 2000;

/** The place of this server among all; 0 where it is alone. */
export function findOwnServer({ cluster, host, port }: Fleet): number {
  const at = cluster?.servers.findIndex((server) => server.host === host && server.port === port) ?? 0;
  return Math.max(0, at);
}

function writeCluster(fleet: Fleet, listen: object) {
  const { cluster, port } = fleet;
  if (cluster === undefined) return {};
  const others = cluster.servers.filter((_, at) => at !== findOwnServer(fleet));
  const routes = others.map((other) => `nats-route://${other.host}:${other.port + CLUSTER_PORT_BEYOND}`);
  // Members know all servers by their names; the addresses that a server sees itself by are in no certificate.
  return { cluster: { name: "relais", ...listen, port: port + CLUSTER_PORT_BEYOND, no_advertise: true, routes } };
}

function writeServersAccount({ cluster }: Fleet) {
  if (cluster === undefined) return [];
  const rights = ["$JS.API.INFO", `$KV.${SERVERS.bucket}.${SERVERS.knownRows}.>`];
  const allow = [...rights, ...listStreamRights(`KV_${SERVERS.bucket}`, { canPurge: false })];
  const peer = {
    nkey: cluster.peer.public,
    permissions: { publish: { allow }, subscribe: { allow: ["_INBOX.>"] } },
  };
  return [[SERVERS.account, { jetstream: "enabled", users: [{ nkey: cluster.owner.public }, peer] }] as const];
}

function writeAccount({ repository, owner, members }: FleetAccount, nameToken: ServerPlace["nameToken"]) {
  const token = repository === null ? null : nameToken(repository);
  const users = members.map(({ public: nkey, role }) => ({
    nkey,
    permissions: {
      publish: { allow: token === null ? listTeamRights() : listRepositoryRights(token, role) },
      subscribe: { allow: ["_INBOX.>"] },
    },
  }));
  const name = token === null ? TEAM.account : nameFleet(token).account;
  return [name, { jetstream: "enabled", users: [{ nkey: owner.public }, ...users] }] as const;
}

/** The cap of the budget is the owner's to write. */
function listTeamRights(): readonly string[] {
  const rows = TEAM.memberRows.map((row) => `$KV.${TEAM.bucket}.${row}.>`);
  return ["$JS.API.INFO", ...rows, ...listStreamRights(`KV_${TEAM.bucket}`, { canPurge: false })];
}

/** No right makes, changes or removes a stream: that is the owner's. */
function listRepositoryRights(token: string, role: FleetRole): readonly string[] {
  const { log, logSubject, events, eventSubjects, beats, objects, snapshots } = nameFleet(token);
  const canPurge = role === "worker";
  const streams = [log, events, `KV_${beats}`, `OBJ_${objects}`, `OBJ_${snapshots}`];
  return [
    "$JS.API.INFO",
    logSubject,
    `$O.${objects}.>`,
    ...(role === "worker" ? [eventSubjects, `$KV.${beats}.>`, `$O.${snapshots}.>`] : []),
    ...streams.flatMap((stream) => listStreamRights(stream, { canPurge })),
  ];
}

function listStreamRights(stream: string, { canPurge }: { readonly canPurge: boolean }): readonly string[] {
  const calls = [
    `STREAM.INFO.${stream}`,
    `STREAM.MSG.GET.${stream}`,
    `DIRECT.GET.${stream}`,
    `DIRECT.GET.${stream}.>`,
    `CONSUMER.CREATE.${stream}`,
    `CONSUMER.CREATE.${stream}.>`,
    `CONSUMER.INFO.${stream}.*`,
    `CONSUMER.DELETE.${stream}.*`,
    `CONSUMER.MSG.NEXT.${stream}.*`,
    ...(canPurge ? [`STREAM.PURGE.${stream}`] : []),
  ];
  return [...calls.map((call) => `$JS.API.${call}`), `$JS.ACK.${stream}.>`, `$JS.FC.${stream}.>`];
}
