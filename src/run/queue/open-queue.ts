/** The queue of this user on this machine. */
import { join } from "node:path";
import type { Engine } from "../../contract/queue/engine.ts";
import type { JobSpec } from "../../contract/queue/job.ts";
import type { WorkerTrust } from "../../contract/queue/user-settings.ts";
import type { Environment } from "../../contract/values/environment.ts";
import { locateStateRoot } from "../../io/workspace/state-directory.ts";
import { openFilesEngine } from "../engine/files-engine.ts";

export interface Queue {
  readonly engine: Engine;
  /** Where jobs are worked on, each in a folder of its own. */
  readonly locateFolder: (job: string, repository: JobSpec["repository"]) => string;
  readonly work: string;
  /** What the worker's owner allows jobs of others; null in a queue of one user. */
  readonly trust: WorkerTrust | null;
}

/** Opens the queue for the time of some work. Throws a `QueueError` where it cannot be used. */
export async function withQueue<T>(environment: Environment, use: (queue: Queue) => Promise<T>): Promise<T> {
  const folder = join(locateStateRoot(environment), "queue");
  const engine = await openFilesEngine({ folder });
  const work = join(folder, "work");
  try {
    return await use({ engine, work, trust: null, locateFolder: (job) => join(work, job) });
  } finally {
    await engine.close();
  }
}
