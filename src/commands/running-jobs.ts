/** The running jobs of all machines that share the queue, for views of one repository. */
import type { LiveListener } from "../records/live-event.ts";
import { type Engine, type JobView, QueueError } from "../queue/pure/engine.ts";
import type { Environment } from "../base/environment.ts";
import { mayHaveQueue } from "../history/may-have-queue.ts";
import { withQueue } from "../jobs/decide-job.ts";
import { describeSeen, listRunningFacts, type RunningJobs } from "../cards/job-text.ts";
import { makeJobDocument } from "./queue-answer.ts";

interface RunningAnswer {
  /** With `--json`. */
  readonly document: object;
  readonly facts: ReturnType<typeof listRunningFacts>;
}

export async function findRunningJobs(environment: Environment): Promise<RunningAnswer> {
  const { jobs, trouble } = await readRunning(environment);
  return { document: { jobs: jobs.map(makeJobDocument), trouble }, facts: listRunningFacts({ jobs, trouble }) };
}

async function readRunning(environment: Environment): Promise<RunningJobs> {
  try {
    return { jobs: await withQueue(environment, ({ engine }) => listRunning(engine)), trouble: null };
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    return { jobs: [], trouble: error.message };
  }
}

async function listRunning({ jobs }: Pick<Engine, "jobs">): Promise<readonly JobView[]> {
  return (await jobs()).filter(({ phase }) => phase === "running");
}

const LOOK_MS = 2000;

/** Shows them until the signal. A queue that cannot be read is no trouble of the watched run. */
export async function watchRunningJobs(
  environment: Environment,
  emit: LiveListener,
  signal: AbortSignal,
): Promise<void> {
  if (!mayHaveQueue(environment)) return;
  await withQueue(environment, async ({ engine }) => {
    for (; !signal.aborted; await waitFor(LOOK_MS, signal)) {
      const jobs = await listRunning(engine);
      emit({
        kind: "jobs",
        jobs: jobs.map(({ id, spec, worker }) => `${id} ${spec.command}: ${spec.title} (${describeSeen(worker)})`),
      });
    }
  }).catch((error: unknown) => {
    if (!(error instanceof QueueError)) throw error;
  });
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
