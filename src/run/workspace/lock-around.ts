import { join } from "node:path";
import { lookAtLock, type LockSighting } from "../../io/journal/lock.ts";
import type { Surroundings } from "./surroundings.ts";

/** The first lock that is not free. The one in the workspace holds off a relais that keeps its state elsewhere. */
export async function lockAround({
  lockPath,
  repository,
  config,
}: Pick<Surroundings, "lockPath" | "repository" | "config">): Promise<LockSighting> {
  const sighting = await lookAtLock(lockPath);
  if (sighting.kind === "busy" || sighting.kind === "corrupt") return sighting;
  return lookAtLock(join(repository.root, config.runner.lockfile));
}
