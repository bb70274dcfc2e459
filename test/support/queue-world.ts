/** A queue in a folder of its own, a repository whose builder is a script, and workers in this process. */
import { join } from "node:path";
import type { Engine } from "../../src/queue/pure/engine.ts";
import type { JobSpec, JobTerms, WorkerEvent } from "../../src/queue/pure/job.ts";
import { openFilesEngine } from "../../src/queue/files-parts.ts";
import type { Queue } from "../../src/jobs/decide-job.ts";
import { runWorker, type WorkerRequest } from "../../src/jobs/run-worker.ts";
import { gitEnvironment } from "./repositories.ts";
import { executable } from "./relais.ts";
import { tickRepository, type TickRepository } from "./tick-repository.ts";

const TERMS: JobTerms = { priority: 0, not_before: null, after: [], every: null, attempts_max: 3 };

export interface QueueWorld {
  readonly repository: TickRepository;
  readonly queue: Queue;
  readonly engine: Engine;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Submits a task whose builder takes these steps. */
  readonly submit: (steps: readonly object[], change?: Partial<JobSpec>, terms?: Partial<JobTerms>) => Promise<string>;
  /** Works until nothing is left, and answers with what it reported. */
  readonly drain: (change?: Partial<WorkerRequest>) => Promise<readonly WorkerEvent[]>;
}

export async function openQueueWorld(config: object = {}): Promise<QueueWorld> {
  const repository = tickRepository({ config });
  const { box, root, git } = repository;
  const environment = {
    ...gitEnvironment(box),
    TMPDIR: process.env["TMPDIR"],
    HOME: box,
    XDG_STATE_HOME: join(box, "state"),
  };
  const folder = join(box, "state/relais/queue");
  const engine = await openFilesEngine({ folder });
  const work = join(folder, "work");
  const queue = { engine, work, trust: null, locateFolder: (job: string) => join(work, job) };
  const makeSpec = (steps: readonly object[]): JobSpec => ({
    version: 1,
    command: "task",
    arguments: ["--", "task.json"],
    files: { "task.json": JSON.stringify(repository.task(steps)) },
    repository: { kind: "path", path: root },
    base: { commit: git("rev-parse", "HEAD"), branch: "topic" },
    key: `${root}#topic`,
    needs: [],
    config: null,
    caps: { ticks: 1, sessions: 1, seconds: 900, dollars: null },
    title: "Make x new",
  });
  return {
    repository,
    queue,
    engine,
    environment,
    submit: (steps, change = {}, terms = {}) =>
      engine.submit({ ...makeSpec(steps), ...change }, { ...TERMS, ...terms }),
    drain: async (change = {}) => {
      const events: WorkerEvent[] = [];
      await runWorker(queue, {
        slots: 1,
        labels: [],
        until: "drain",
        signal: new AbortController().signal,
        emit: (event) => events.push(event),
        relais: [process.execPath, executable],
        environment,
        isSandboxed: false,
        ...change,
      });
      return events;
    },
  };
}
