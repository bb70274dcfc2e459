/** The queue of this user: a folder of this machine, or a server that several machines share. */
import { join } from "node:path";
import type { Engine } from "../queue/pure/engine.ts";
import type { JobSpec } from "../queue/pure/job.ts";
import type { TeamBudget } from "../queue/pure/team-budget.ts";
import type { WorkerTrust } from "../queue/pure/user-settings.ts";
import type { Environment } from "../base/environment.ts";
import { nameAddress } from "../queue/pure/repository-address.ts";
import { makeToken } from "../journal/repository-token.ts";
import { findUserSettings } from "../journal/user-settings-file.ts";
import { locateStateRoot } from "../journal/state-directory.ts";
import { openFilesEngine } from "../queue/files-engine.ts";

export interface Queue {
  readonly engine: Engine;
  /** Where jobs are worked on, each in a folder of its own. */
  readonly locateFolder: (job: string, repository: JobSpec["repository"]) => string;
  readonly work: string;
  /** What the worker's owner allows jobs of others; null in a queue of one user. */
  readonly trust: WorkerTrust | null;
  /** The folder of what this machine knows of the jobs; absent in a queue of one user. */
  readonly known?: string;
  /** What the team may spend; absent in a queue of one user. */
  readonly budget?: TeamBudget;
}

/** Opens the queue for the time of some work. Throws a `QueueError` where it cannot be used. */
export async function withQueue<T>(environment: Environment, use: (queue: Queue) => Promise<T>): Promise<T> {
  const queue = await openQueue(environment);
  try {
    return await use(queue);
  } finally {
    await queue.engine.close();
  }
}

async function openQueue(environment: Environment): Promise<Queue> {
  const root = locateStateRoot(environment);
  const settings = await findUserSettings(environment);
  if (settings?.queue === undefined) {
    const folder = join(root, "queue");
    const work = join(folder, "work");
    return { engine: await openFilesEngine({ folder }), work, trust: null, locateFolder: (job) => join(work, job) };
  }
  // The client of the server is large, and most people have none.
  const { openFleet } = await import("../fleet/open-fleet.ts");
  const work = join(root, "shared-queue", "work");
  const known = join(root, "shared-queue", "known");
  return {
    ...(await openFleet(settings.queue, known)),
    known,
    work,
    trust: settings.worker,
    // Jobs of two repositories may have one name.
    locateFolder: (job, repository) => {
      const address = repository.kind === "url" ? repository.url : repository.path;
      return join(work, `${makeToken(nameAddress(address) ?? address)}.${job}`);
    },
  };
}
