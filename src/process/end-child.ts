import type { SessionProcess } from "../records/session-process.ts";
import { type ProcessIdentity, readOwnIdentity, readProcessState } from "./process-identity.ts";
import { reapMarked } from "./reap-session.ts";
import { sendSignal } from "./supervise-family.ts";

/**
 * Kills a program that `startChild` started, here or in a process that is gone, and everything that carries its marker.
 * Answers with the processes that are still there in spite of it.
 */
export async function killChild(child: SessionProcess | null, marker: string): Promise<readonly number[]> {
  const identity = child === null ? null : await identify(child);
  if (identity !== null && (await readProcessState(identity)) === "alive") sendSignal(-identity.pid, "SIGKILL");
  const { undead } = await reapMarked(marker);
  const left = undead.map(({ pid }) => pid);
  const isLeft = identity !== null && (await readProcessState(identity)) === "alive";
  return isLeft && !left.includes(identity.pid) ? [identity.pid, ...left] : left;
}

async function identify({ pid, birth, boot }: SessionProcess): Promise<ProcessIdentity> {
  return { ...(await readOwnIdentity()), pid, processStart: birth, bootId: boot };
}
