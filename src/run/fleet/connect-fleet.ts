import { connect, type NatsConnection, nkeyAuthenticator } from "@nats-io/transport-node";

export interface FleetLink {
  readonly url: string;
  /** PEM of the authority; null for those of the system. */
  readonly ca: string | null;
  readonly seed: string;
}

const TIMEOUT_MS = 5000;

/** One connection to one account. The keys of others do not exist for it. */
export function connectFleet({ url, ca, seed }: FleetLink, name: string): Promise<NatsConnection> {
  return connect({
    servers: url.split(","),
    name,
    authenticator: nkeyAuthenticator(Buffer.from(seed, "latin1")),
    timeout: TIMEOUT_MS,
    maxReconnectAttempts: -1, // A worker waits for its server; its sessions end by themselves meanwhile.
    ...(url.startsWith("tls://") ? { tls: ca === null ? {} : { ca } } : {}),
  });
}
