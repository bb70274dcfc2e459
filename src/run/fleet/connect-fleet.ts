import { createConnection } from "node:net";
import { connect, type NatsConnection, nkeyAuthenticator } from "@nats-io/transport-node";
import { describeError } from "../../contract/values/describe-error.ts";

export interface FleetLink {
  readonly url: string;
  /** PEM of the authority; null for those of the system. */
  readonly ca: string | null;
  readonly seed: string;
}

const TIMEOUT_MS = 5000;
const PORT = 4222;

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
  const heard = await Promise.all(servers.map(listenTo));
  if (heard.every((trouble) => trouble !== null)) throw new Error(heard[0] ?? "it says nothing");
}

/** Null where it speaks first, as a server of NATS does. */
function listenTo(server: string): Promise<string | null> {
  const { hostname, port } = new URL(server);
  return new Promise((resolve) => {
    const socket = createConnection(port === "" ? PORT : Number(port), hostname.replaceAll(/[[\]]/g, ""));
    const end = (trouble: string | null): void => {
      socket.destroy();
      resolve(trouble);
    };
    socket.setTimeout(TIMEOUT_MS, () => end(`it said nothing for ${TIMEOUT_MS / 1000} s`));
    socket.on("error", (error) => end(describeError(error)));
    socket.on("data", () => end(null));
    socket.on("close", () => end("it ended the connection"));
  });
}
