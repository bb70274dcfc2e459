import { join } from "node:path";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { type LockReading, inspectLock } from "../journal/acquire-lock.ts";
import type { Workspace } from "./workspace.ts";

/** The lock of the state directory, which linked worktrees share, and the one in the workspace: it holds off a relais that keeps its state elsewhere. */
export function lockPaths({
  lockPath,
  repository,
  config,
}: Pick<Workspace, "lockPath" | "repository" | "config">): readonly string[] {
  return [lockPath, join(repository.root, config.runner.lockfile)];
}

/** The first lock that is not free. */
export async function findHeldLock(
  places: Pick<Workspace, "lockPath" | "repository" | "config">,
): Promise<LockReading> {
  const sightings = await readLocks(lockPaths(places));
  return sightings.find(({ kind }) => kind === "busy" || kind === "corrupt") ?? { kind: "free" };
}

export function readLocks(paths: readonly string[]): Promise<readonly LockReading[]> {
  return Promise.all(paths.map(inspectLock));
}

export function lockUnavailable(lock: Extract<LockReading, { kind: "busy" | "corrupt" }>): NotReady {
  const code = "BLOCKED_LOCK_HELD";
  if (lock.kind === "corrupt") {
    const message = `The lock file ${lock.path} is damaged: ${lock.reason}.`;
    const remedy = `Make sure that no relais runs here, then remove it: rm ${lock.path}`;
    return { ...refuseNotReady("lock_corrupt", message, remedy), code };
  }
  const { pid, host, run_id, started_at } = lock.holder;
  const message = `Process ${pid} on ${host} has been running here since ${started_at} (run ${run_id}).`;
  return { ...refuseNotReady("lock_held", message), code };
}
