/** A real server on loopback, with its store in a scratch folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { jetstreamManager, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Objm } from "@nats-io/obj";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import type { NatsNames } from "../../src/run/nats/nats-link.ts";

/** Debian's package has it where no ordinary user looks. */
const PROGRAMS = ["nats-server", "/usr/sbin/nats-server"];

export function findNatsServer(): string | null {
  return PROGRAMS.find((program) => spawnSync(program, ["--version"]).status === 0) ?? null;
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

export async function openNatsServer(folder: string, more = ""): Promise<NatsServer> {
  const program = findNatsServer();
  if (program === null) throw new Error("there is no nats-server");
  const port = await findFreePort();
  const url = `nats://127.0.0.1:${port}`;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "server.conf");
  const store = `jetstream { store_dir: "${join(folder, "store")}", max_mem: 64MB, max_file: 8GB }`;
  writeFileSync(file, `host: "127.0.0.1"\nport: ${port}\n${store}\n${more}\n`);
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    child = spawn(program, ["-c", file], { stdio: "ignore" });
    for (let tries = 0; tries < 200; tries += 1) {
      const connection = await connect({ servers: url, reconnect: false, timeout: 1000 }).catch(() => null);
      const isReady = connection !== null && (await jetstreamManager(connection).catch(() => null)) !== null;
      await connection?.close();
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${program} does not answer`);
  };
  const stop = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  await start();
  return { url, start, stop, pid: () => child?.pid ?? 0 };
}

export function nameNats(token: string): NatsNames {
  return {
    log: `RELAIS_LOG_${token}`,
    logSubject: `relais.${token}.log`,
    events: `RELAIS_EV_${token}`,
    eventSubjects: `relais.${token}.ev.>`,
    beats: `relais_beat_${token}`,
    objects: `relais_obj_${token}`,
  };
}

export async function makeNatsQueue(connection: NatsConnection, token: string, replicas = 1): Promise<void> {
  const { log, logSubject, events, eventSubjects, beats, objects } = nameNats(token);
  const { streams } = await jetstreamManager(connection);
  const kinds = { storage: StorageType.File, num_replicas: replicas };
  await streams.add({ name: log, subjects: [logSubject], ...kinds });
  await streams.add({ name: events, subjects: [eventSubjects], ...kinds });
  await new Kvm(connection).create(beats, { storage: StorageType.File, replicas });
  await new Objm(connection).create(objects, { storage: StorageType.File, replicas });
}

/** A queue of its own, as the place that the suite hands to its workers: the server and the token. */
export async function makeNatsPlace(url: string): Promise<string> {
  const connection = await connect({ servers: url });
  const token = randomBytes(8).toString("hex");
  await makeNatsQueue(connection, token);
  await connection.close();
  return `${url}#${token}`;
}
