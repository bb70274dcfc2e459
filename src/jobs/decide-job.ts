import { type CommandFailure, refuse } from "../records/command-failure.ts";
import type { Engine, JobAsk, Claim } from "../queue/pure/engine.ts";
import type { JobId, JobResult, JobSpec } from "../queue/pure/job.ts";
import type { Environment } from "../base/environment.ts";
import { readClockMs } from "../system/clock.ts";
import { readProject } from "../workspace/read-project.ts";
import { runHandoff } from "../workspace/run-handoff.ts";
import { join } from "node:path";
import type { TeamBudget } from "../queue/pure/team-budget.ts";
import { type WorkerTrust, nameAddress } from "../queue/pure/user-settings.ts";
import { makeToken, findUserSettings } from "../journal/known-jobs.ts";
import { locateStateRoot } from "../journal/state-directory.ts";
import { openFilesEngine } from "../queue/files-parts.ts";

/** What a person decides about a job: the same for the command and for the page. */

export type JobDecision = JobAsk | "retry";

export interface DecidedJob {
  readonly kind: "decided";
  readonly job: JobId;
  readonly decision: JobDecision;
  /** `asked`: the worker that holds the job does it. */
  readonly answer: "done" | "asked";
}

type DecidingEngine = Pick<Engine, "ask" | "retry" | "find">;

export async function decideJob(
  engine: DecidingEngine,
  job: JobId,
  decision: JobDecision,
): Promise<DecidedJob | CommandFailure> {
  if (decision === "retry") {
    if ((await engine.retry(job)) === "waiting") return { kind: "decided", job, decision, answer: "done" };
    const phase = await findPhase(engine, job);
    const next = `Cancel it first: \`relais queue cancel ${job}\`.`;
    return refuse({ cause: "job_not_over", message: `The job ${job} has not ended: ${phase}.`, next });
  }
  const answer = await engine.ask(job, decision);
  if (answer === "done" || answer === "asked") return { kind: "decided", job, decision, answer };
  const message = `The job ${job} has ended: ${await findPhase(engine, job)}.`;
  return refuse({ cause: "job_over", message, next: `See \`relais queue show ${job}\`.` });
}

async function findPhase(engine: DecidingEngine, job: JobId): Promise<string> {
  return (await engine.find(job))?.phase ?? "it is not known";
}

interface EndedJob {
  /** The repository of the job. */
  readonly cwd: string;
  readonly claim: Pick<Claim, "job" | "spec">;
  readonly result: JobResult;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Answers with a warning if the command of the repository's configuration fails. */
export async function handOffJob({ cwd, claim, result, environment, signal }: EndedJob): Promise<string | null> {
  const project = await readProject({ cwd, environment });
  if (project.kind === "blocked") return null;
  const { repository, title, base } = claim.spec;
  const { outcome, code, summary, branch, commit } = result;
  const began = result.base ?? base.commit;
  return runHandoff(
    { config: project.config, cwd, environment, signal },
    {
      version: 1,
      kind: "job_ended",
      at: new Date(readClockMs()).toISOString(),
      id: claim.job,
      repository: repository.kind === "url" ? repository.url : repository.path,
      title,
      outcome,
      code,
      summary,
      base: { commit: began, branch: base.branch },
      branch,
      commit,
    },
  );
}

/** The queue of this user: a folder of this machine, or a server that several machines share. */

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
