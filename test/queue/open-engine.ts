/** The engines that the suite knows, by their names: a process that a test starts opens its own. */
import { connect } from "@nats-io/transport-node";
import type { Engine } from "../../src/queue/pure/engine.ts";
import { openFilesEngine } from "../../src/queue/files-parts.ts";
import { openNatsEngine } from "../../src/fleet/open-fleet.ts";
import { nameNats } from "../fleet/nats-server.ts";

interface EngineDoubles {
  /** The wall clock. */
  readonly readClockMs?: () => number;
  /** After so many records a server's log is cut. */
  readonly recordsMax?: number;
}

export type OpenEngine = (place: string, doubles?: EngineDoubles) => Promise<Engine>;

export const ENGINES: { readonly files: OpenEngine; readonly nats: OpenEngine } = {
  files: (folder, doubles) => openFilesEngine({ folder, ...doubles }),
  nats: openNats,
};

export type EngineName = keyof typeof ENGINES;

async function openNats(place: string, doubles?: EngineDoubles): Promise<Engine> {
  const [servers = "", token = ""] = place.split("#");
  const connection = await connect({
    servers: servers.split(","),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    ignoreClusterUpdates: true,
  });
  const engine = await openNatsEngine({ connection, names: nameNats(token), team: null, canCut: true, ...doubles });
  return {
    ...engine,
    close: async () => {
      await engine.close();
      await connection.close();
    },
  };
}
