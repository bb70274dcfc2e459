/** The user at the other end of a connection on this machine, where Linux tells. */
import { readFile } from "node:fs/promises";

const TABLE = "/proc/net/tcp";
const LOOPBACK = "0100007F";

export interface LoopbackConnection {
  readonly localPort: number;
  readonly remotePort: number;
}

/** Null where it cannot be known. */
export async function findPeerOwner(connection: LoopbackConnection): Promise<number | null> {
  const table = await readFile(TABLE, "latin1").catch(() => null);
  return table === null ? null : findOwnerInTable(table, connection);
}

/** The peer's own socket is in the table of this machine too, with both ends exchanged. */
export function findOwnerInTable(table: string, { localPort, remotePort }: LoopbackConnection): number | null {
  const [own, other] = [formatEnd(remotePort), formatEnd(localPort)];
  for (const line of table.split("\n").slice(1)) {
    const [, local, remote, , , , , owner] = line.trim().split(/\s+/u);
    if (local === own && remote === other && owner !== undefined) return Number(owner);
  }
  return null;
}

function formatEnd(port: number): string {
  return `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}
