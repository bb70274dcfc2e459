/** A real server of a shared queue on loopback, and members with their real keys. */
import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import type { NatsConnection } from "@nats-io/transport-node";
import type { FleetRole, Invitation } from "../../src/queue/pure/fleet.ts";
import { connectFleet } from "../../src/fleet/fleet-file.ts";
import { inviteMember } from "../../src/fleet/invite-member.ts";
import { type ReadyServer, serveFleet } from "../../src/fleet/serve-fleet.ts";
import { scratchFolder } from "./scratch-repository.ts";

export const hasServer = spawnSync("nats-server", ["--version"]).status === 0;

export interface FleetServer {
  readonly folder: string;
  readonly port: number;
  /** The newest answer of the server. */
  readonly ready: () => ReadyServer;
  /** Answers when the server knows the member. */
  readonly invite: (name: string, role: FleetRole, ...repositories: string[]) => Promise<Invitation>;
  readonly stop: () => Promise<void>;
}

export async function openFleetServer(
  folder = join(scratchFolder(), "server"),
  samePort: number | null = null,
): Promise<FleetServer> {
  const port = samePort ?? (await findFreePort());
  const over = new AbortController();
  const answers: ReadyServer[] = [];
  let wake: (() => void) | null = null;
  const onReady = (server: ReadyServer): void => {
    answers.push(server);
    wake?.();
  };
  const next = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  const troubles: string[] = [];
  const onTrouble = (message: string): void => void troubles.push(message);
  const environment = { ...process.env };
  const first = next();
  const ended = serveFleet({
    folder,
    host: "localhost",
    port,
    others: [],
    paper: null,
    environment,
    signal: over.signal,
    onReady,
    onPapers: () => {},
    onTrouble,
  });
  await Promise.race([first, ended]);
  if (answers.length === 0) throw new Error(JSON.stringify([await ended, troubles]));
  const ready = (): ReadyServer =>
    answers.at(-1) ?? { url: "", config: "", version: "", durable: "deferred", repositories: 0 };
  return {
    folder,
    port,
    ready,
    invite: async (name, role, ...repositories) => {
      const known = next();
      const file = join(folder, `${name}.json`);
      const made = await inviteMember({ folder, name, role, repositories, file });
      if ("kind" in made) throw new Error(made.message);
      await known;
      return made;
    },
    stop: async () => {
      over.abort();
      await ended;
    },
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** The connection of a member to its first repository. */
export function connectMember({ url, ca, repositories, name }: Invitation): Promise<NatsConnection> {
  return connectFleet({ url, ca, seed: repositories[0]?.seed ?? "" }, name);
}
