/** What a person decides about a job: the same for the command and for the page. */
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import type { Engine, JobAsk } from "../queue/pure/engine.ts";
import type { JobId } from "../queue/pure/job.ts";

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
