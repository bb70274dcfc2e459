/** The user at the other end of a connection on this machine, where Linux tells. */
import { readFileSync } from "node:fs";

const TABLE = "/proc/net/tcp";
const LOOPBACK = "0100007F";

export interface LoopbackConnection {
  readonly localPort: number;
  readonly remotePort: number;
}

export type PeerOwner =
  | { readonly kind: "user"; readonly uid: number }
  /** It has closed its end, and the kernel has forgotten who it was. */
  | { readonly kind: "gone" }
  | { readonly kind: "unknown" };

export function findPeerOwner(connection: LoopbackConnection): PeerOwner {
  try {
    return findOwnerInTable(readFileSync(TABLE, "latin1"), connection);
  } catch {
    return { kind: "unknown" };
  }
}

/** The peer's own socket is in the table of this machine too, with both ends exchanged. */
export function findOwnerInTable(table: string, { localPort, remotePort }: LoopbackConnection): PeerOwner {
  const [here, there] = [formatEnd(localPort), formatEnd(remotePort)];
  let isListed = false;
  for (const line of table.split("\n").slice(1)) {
    const [, local, remote, , , , , owner, , inode] = line.trim().split(/\s+/u);
    isListed ||= local === here && remote === there;
    // A socket that its process has closed belongs to root in this table, and has no inode.
    if (local === there && remote === here && owner !== undefined && inode !== undefined && inode !== "0")
      return { kind: "user", uid: Number(owner) };
  }
  return { kind: isListed ? "gone" : "unknown" };
}

function formatEnd(port: number): string {
  return `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}
