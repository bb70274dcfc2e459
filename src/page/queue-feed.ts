/** Follows the queue of this user, and does what a person decides about its jobs. */
import * as v from "valibot";
import type { JobView } from "../queue/pure/engine.ts";
import { JobId } from "../queue/pure/job.ts";
import { describeError } from "../base/errors.ts";
import type { Environment } from "../base/environment.ts";
import { readClockMs, repeatEvery } from "../system/clock.ts";
import { pauseUntil } from "../system/pause.ts";
import { decideJob, type Queue, withQueue } from "../jobs/decide-job.ts";
import { renderHeldQueue, renderJobDecision } from "../cards/job-text.ts";
import { makeHarmless } from "./pure/harmless.ts";
import { describeBrokenQueue, makeQueuePage } from "./pure/queue-page.ts";
import type { QueuePage } from "./pure/repository-documents.ts";
import { conclude, type PerformedAction } from "./conclude-action.ts";

interface QueueRequest {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly onPage: (page: QueuePage) => void;
}

const RETRY_MS = 3000;
const BEAT_LOOK_MS = 2000;
const SECOND_MS = 1000;

export interface QueueFeed {
  /** Null until it was read. */
  readonly page: () => QueuePage | null;
}

/** Until the signal fires. A queue that cannot be read now is tried again. */
export function openQueueFeed({ environment, signal, onPage }: QueueRequest): QueueFeed {
  let page: QueuePage | null = null;
  const show = (found: QueuePage): void => {
    if (JSON.stringify(found) === JSON.stringify(page)) return;
    page = found;
    onPage(found);
  };
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      await withQueue(environment, (queue) => followQueue(queue, { signal, show })).catch((error: unknown) =>
        show(makeHarmless(describeBrokenQueue(describeError(error)))),
      );
      if (!signal.aborted) await pauseUntil(readClockMs() + RETRY_MS, { signal, onStep: () => {} });
    }
  };
  void follow();
  return { page: () => page };
}

interface QueueWatch extends Pick<QueueRequest, "signal"> {
  readonly show: (page: QueuePage) => void;
}

async function followQueue({ engine }: Queue, { signal, show }: QueueWatch): Promise<void> {
  const look = async (): Promise<readonly JobView[]> => {
    const views = await engine.jobs();
    const source = { isHeld: await engine.isHeld(), limits: await engine.limits.list() };
    show(makeHarmless(makeQueuePage({ views, ...source, findBeat })));
    return views;
  };
  let views = await look();
  // A beat is no change of the queue.
  const stop = repeatEvery(BEAT_LOOK_MS, () => {
    if (views.some(({ phase }) => phase === "running")) void look().catch(() => {});
  });
  try {
    for await (const _ of engine.changes(signal)) views = await look();
  } finally {
    stop();
  }
}

/** To the second, so that the page stays the same until the next beat. */
function findBeat({ phase, worker }: JobView): string | null {
  if (phase !== "running" || worker === null || worker.silentMs === null) return null;
  return new Date(Math.round((readClockMs() - worker.silentMs) / SECOND_MS) * SECOND_MS).toISOString();
}

/** What the page sends; without a job it is about the whole queue. */
export const JobWish = v.union([
  v.strictObject({ action: v.picklist(["cancel", "pause", "resume", "retry"]), job: JobId }),
  v.strictObject({ action: v.picklist(["pause", "resume"]), job: v.null() }),
]);
export type JobWish = v.InferOutput<typeof JobWish>;

export async function performOnQueue(environment: Environment, { action, job }: JobWish): Promise<PerformedAction> {
  try {
    return await withQueue(environment, async ({ engine }) => {
      if (job !== null) return conclude(await decideJob(engine, job, action), "decided", renderJobDecision);
      await engine.hold(action === "pause");
      return { isDone: true, text: renderHeldQueue(action === "pause").trim() };
    });
  } catch (error) {
    return { isDone: false, text: `The queue cannot be used: ${describeError(error)}.` };
  }
}
