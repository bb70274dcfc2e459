/** A real server on loopback, with its store in a scratch folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { jetstreamManager, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Objm } from "@nats-io/obj";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import type { NatsNames } from "../../src/fleet/nats-link.ts";

/** Debian's package has it where no ordinary user looks. */
const PROGRAMS = ["nats-server", "/usr/sbin/nats-server"];

function runs(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

/** The installed server, and those that `RELAIS_NATS_SERVERS` names, with colons between them. */
export function listNatsServers(): readonly string[] {
  const others = (process.env["RELAIS_NATS_SERVERS"] ?? "").split(":").filter(Boolean);
  const broken = others.find((program) => !runs(program));
  if (broken !== undefined) throw new Error(`${broken} does not run (RELAIS_NATS_SERVERS)`);
  return [...PROGRAMS.filter(runs).slice(0, 1), ...others];
}

export function findNatsServer(): string | null {
  return listNatsServers()[0] ?? null;
}

/** Such as 2.9.10. */
export function readNatsVersion(program: string): string {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? program;
}

export interface NatsServer {
  readonly url: string;
  readonly pid: () => number;
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
  /** With the same port and the same store. */
  readonly start: () => Promise<void>;
}

export async function findFreePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  listener.close();
  await once(listener, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

const START_TRIES = 800;

export interface ServerWish {
  /** The installed one, unless another is named. */
  readonly program?: string;
  readonly port?: number;
  /** More lines of its configuration. */
  readonly more?: string;
  /** Of its store. */
  readonly bytesMax?: number;
  /** Each write is on the disk before its answer; not before 2.10. */
  readonly isSynced?: boolean;
}

export async function openNatsServer(folder: string, wish: ServerWish = {}): Promise<NatsServer> {
  const server = await prepareNatsServer(folder, wish);
  await server.start();
  return server;
}

/** One that is not started yet. */
export async function prepareNatsServer(folder: string, wish: ServerWish): Promise<NatsServer> {
  const program = wish.program ?? findNatsServer();
  if (program === null) throw new Error("there is no nats-server");
  const { port = await findFreePort(), more = "", bytesMax = 8 * 1024 ** 3, isSynced = false } = wish;
  const url = `nats://127.0.0.1:${port}`;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "server.conf");
  const sync = isSynced ? ", sync_interval: always" : "";
  const store = `jetstream { store_dir: "${join(folder, "store")}", max_mem: 64MB, max_file: ${bytesMax}${sync} }`;
  writeFileSync(file, `host: "127.0.0.1"\nport: ${port}\n${store}\n${more}\n`);
  let child: ChildProcess | null = null;
  const log = openSync(join(folder, "server.log"), "a");
  const start = async (): Promise<void> => {
    for (let tries = 0; tries < START_TRIES; tries += 1) {
      // Another program may have its port for a moment.
      if (child === null || hasEnded(child)) child = spawn(program, ["-c", file], { stdio: ["ignore", log, log] });
      if (await answers(url)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${url} does not answer: ${readFileSync(join(folder, "server.log"), "utf8").slice(-2000)}`);
  };
  const stop = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    if (child === null || hasEnded(child)) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  return { url, start, stop, pid: () => child?.pid ?? 0 };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function answers(url: string): Promise<boolean> {
  const connection = await connect({ servers: url, reconnect: false, timeout: 1000 }).catch(() => null);
  const isReady = connection !== null && (await jetstreamManager(connection).catch(() => null)) !== null;
  await connection?.close();
  return isReady;
}

export function nameNats(token: string): NatsNames {
  return {
    log: `RELAIS_LOG_${token}`,
    logSubject: `relais.${token}.log`,
    events: `RELAIS_EV_${token}`,
    eventSubjects: `relais.${token}.ev.>`,
    beats: `relais_beat_${token}`,
    objects: `relais_obj_${token}`,
    snapshots: `relais_snap_${token}`,
  };
}

async function makeNatsQueue(connection: NatsConnection, token: string, replicas = 1): Promise<void> {
  const { log, logSubject, events, eventSubjects, beats, objects, snapshots } = nameNats(token);
  const { streams } = await jetstreamManager(connection);
  const kinds = { storage: StorageType.File, num_replicas: replicas };
  await streams.add({ name: log, subjects: [logSubject], ...kinds });
  await streams.add({ name: events, subjects: [eventSubjects], ...kinds });
  await new Kvm(connection).create(beats, { storage: StorageType.File, replicas });
  for (const store of [objects, snapshots])
    await new Objm(connection).create(store, { storage: StorageType.File, replicas });
}

/** A queue of its own, as the place that the suite hands to its workers: the servers and the token. */
export async function makeNatsPlace(url: string, replicas = 1): Promise<string> {
  const connection = await connect({ servers: url.split(",") });
  const token = randomBytes(8).toString("hex");
  await makeNatsQueue(connection, token, replicas);
  await connection.close();
  return `${url}#${token}`;
}
