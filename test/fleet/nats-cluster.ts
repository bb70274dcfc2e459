/** Three real servers on loopback with one store each: what is written is kept by all of them. */
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { waitUntil } from "../queue/engine-world.ts";
import { findFreePort, type NatsServer, prepareNatsServer } from "./nats-server.ts";

const SIZE = 3;

export interface NatsCluster {
  readonly url: string;
  readonly servers: readonly NatsServer[];
  /** The one that answers for a stream; null is the one that decides about streams. */
  readonly findLeader: (stream: string | null) => Promise<NatsServer>;
  readonly stop: () => Promise<void>;
}

export async function openNatsCluster(folder: string, program: string): Promise<NatsCluster> {
  const ports: { client: number; route: number; web: number }[] = [];
  for (let count = 0; count < SIZE; count += 1)
    ports.push({ client: await findFreePort(), route: await findFreePort(), web: await findFreePort() });
  const routes = ports.map(({ route }) => `nats://127.0.0.1:${route}`).join(", ");
  const servers = await Promise.all(
    ports.map(({ client: port, route, web }, at) =>
      prepareNatsServer(join(folder, `server-${at}`), {
        program,
        port,
        more: [
          `server_name: "${at}"`,
          `http: "127.0.0.1:${web}"`,
          `cluster { name: "relais", listen: "127.0.0.1:${route}", routes: [${routes}] }`,
        ].join("\n"),
      }),
    ),
  );
  await Promise.all(servers.map(({ start }) => start()));
  const url = servers.map((server) => server.url).join(",");
  const find = (name: string | undefined): NatsServer | null => servers.find((_, at) => String(at) === name) ?? null;
  return {
    url,
    servers,
    findLeader: async (stream) => {
      const read = (): Promise<string | undefined> =>
        stream === null ? readMetaLeader(ports.map(({ web }) => web)) : readStreamLeader(url, stream);
      const name = await waitUntil(
        () => read().catch(() => undefined),
        (one) => find(one) !== null,
      );
      const leader = find(name);
      if (leader === null) throw new Error("there is no leader");
      return leader;
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

async function readStreamLeader(url: string, stream: string): Promise<string | undefined> {
  const connection = await connect({ servers: url.split(","), reconnect: false, timeout: 1000 });
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 1000 });
    return (await manager.streams.info(stream)).cluster?.leader;
  } finally {
    await connection.close();
  }
}

async function readMetaLeader(ports: readonly number[]): Promise<string | undefined> {
  for (const port of ports) {
    const answer = await fetch(`http://127.0.0.1:${port}/jsz`).catch(() => null);
    const page: { meta_cluster?: { leader?: string } } | null =
      answer === null ? null : JSON.parse(await answer.text());
    if (page?.meta_cluster?.leader !== undefined) return page.meta_cluster.leader;
  }
  return undefined;
}
