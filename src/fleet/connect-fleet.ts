import { connect, type NatsConnection, nkeyAuthenticator } from "@nats-io/transport-node";
import { listenTo } from "../system/listen-to.ts";

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
