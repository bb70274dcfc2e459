/** The folders of attempts that work side by side. Their tick holds the lock, so all others are left over. */
import { join } from "node:path";
import { listFolders } from "../system/list-folders.ts";
import { removeTree } from "../system/remove-tree.ts";
import { killChild } from "../process/end-child.ts";
import { nameTickMarker } from "../process/reap-session.ts";

export function locateAttempts(stateDirectory: string, runId: string): string {
  return join(stateDirectory, "attempts", runId);
}

/** Ends the processes of attempts that are left over, and removes their folders. */
export async function clearAttempts(stateDirectory: string): Promise<void> {
  const folder = join(stateDirectory, "attempts");
  const left = await listFolders(folder);
  for (const runId of left) await killChild(null, nameTickMarker(runId));
  if (left.length > 0) removeAttempts(stateDirectory);
}

export function removeAttempts(stateDirectory: string): void {
  removeTree(Buffer.from(join(stateDirectory, "attempts")));
}
