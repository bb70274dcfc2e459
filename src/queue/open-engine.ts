/** All operations of an engine, on whatever its log, its store and its beats are. docs/queue.md says what it promises. */
import type { Engine, JobAsk, JobView, SeenWorker } from "./pure/engine.ts";
import type { JobId } from "./pure/job.ts";
import { chooseJob } from "./pure/choose-job.ts";
import { isOver } from "./pure/job-end.ts";
import type { JobRow } from "./pure/job-row.ts";
import type { QueueState } from "./pure/queue-state.ts";
import { viewJob } from "./pure/view-job.ts";
import { openClaims } from "./claim-job.ts";
import { type EngineParts, waitForChanges } from "./engine-parts.ts";
import { QueueError } from "./pure/queue-error.ts";
import { findSpec } from "./own-worker.ts";
import { watchWorkers, type WorkerWatch } from "./lost-workers.ts";
import { restoreJob, submitJob } from "./submit-job.ts";

export interface EngineSetup extends EngineParts {
  readonly facts: Engine["facts"];
  /** Where the log itself keeps them, this is not given. */
  readonly limits?: Engine["limits"];
}

export function openEngine({ facts, limits, ...parts }: EngineSetup): Engine {
  const watch = watchWorkers(parts);
  const claims = openClaims(parts, watch);
  return {
    facts,
    submit: (spec, terms, id) => submitJob(parts, { spec, terms, id: id ?? null }),
    restore: (job) => restoreJob(parts, job),
    peek: (labels) => {
      const row = chooseJob(parts.log.known(), { now: parts.now(), labels });
      return row === null ? null : { priority: row.terms.priority, submittedAt: row.submittedAt };
    },
    claim: claims.claim,
    ask: async (job, what) => {
      await watch.recordLosses(); // A job whose worker is gone waits, so that it happens at once.
      return ask(parts, job, what);
    },
    ...openControls(parts),
    ...openViews(parts, watch),
    limits: limits ?? openLimits(parts),
    close: async () => {
      await claims.close();
      parts.changes.close();
      await parts.log.close();
    },
  };
}

function openControls({ log }: EngineParts): Pick<Engine, "hold" | "isHeld" | "retry" | "move"> {
  return {
    hold: async (isPaused) => {
      await log.record(({ isHeld }) => (isHeld === isPaused ? null : { kind: "held", is_held: isPaused }));
      await log.sync();
    },
    isHeld: async () => (await log.refresh()).isHeld,
    retry: async (job) => {
      const seq = await log.record(({ jobs }) => {
        const row = jobs.get(job);
        return row !== undefined && isOver(row) ? { kind: "retried", job } : null;
      });
      await log.sync();
      if (seq !== null) return "waiting";
      return (await log.refresh()).jobs.has(job) ? "not-over" : "unknown";
    },
    move: async (job, priority) => {
      const seq = await log.record(({ jobs }) =>
        canMove(jobs.get(job)?.phase) ? { kind: "moved", job, priority } : null,
      );
      await log.sync();
      if (seq !== null) return "moved";
      return (await log.refresh()).jobs.has(job) ? "not-waiting" : "unknown";
    },
  };
}

function openViews(
  parts: EngineParts,
  { look }: Pick<WorkerWatch, "look">,
): Pick<Engine, "jobs" | "find" | "readSpec" | "follow" | "followToEnd" | "changes" | "readAttachment"> {
  const { log, now } = parts;
  const view = async (rows: (state: QueueState) => readonly JobRow[]): Promise<readonly JobView[]> => {
    const workers = new Map<JobId, SeenWorker | null>();
    for (const row of rows(await log.refresh())) if (row.worker !== null) workers.set(row.id, await look(row));
    const state = log.known();
    const at = now();
    return rows(state).map((row) => {
      const worker = workers.get(row.id) ?? null;
      return viewJob(state, row, { now: at, worker: row.worker?.id === worker?.id ? worker : null });
    });
  };
  return {
    jobs: () => view(({ jobs }) => [...jobs.values()]),
    find: async (job) => (await view(({ jobs }) => [jobs.get(job) ?? []].flat()))[0] ?? null,
    readSpec: async (job) => {
      const row = (await log.refresh()).jobs.get(job);
      const spec = row === undefined ? null : await findSpec(parts, row);
      return spec instanceof QueueError ? null : spec;
    },
    follow: (job, from, signal) => parts.store.follow({ job, from, signal }),
    followToEnd: (job, signal) => parts.store.follow({ job, from: "", signal, untilOver: true }),
    changes: (signal) => listChanges(parts, signal),
    readAttachment: async (job, attempt, name) => findAttachment(parts, { job, attempt, name }),
  };
}

function openLimits({ log, now }: EngineParts): Engine["limits"] {
  return {
    block: async (agent, until) => {
      await log.record(({ limits }) => ((limits.get(agent) ?? "") < until ? { kind: "blocked", agent, until } : null));
      await log.sync();
    },
    list: async () =>
      [...(await log.refresh()).limits]
        .filter(([, until]) => until > now())
        .map(([agent, until]) => ({ agent, until })),
  };
}

function canMove(phase: string | undefined): boolean {
  return phase === "waiting" || phase === "scheduled";
}

async function ask({ log }: EngineParts, job: JobId, what: JobAsk): ReturnType<Engine["ask"]> {
  const answer = { isRunning: false };
  const seq = await log.record(({ jobs }) => {
    const row = jobs.get(job);
    if (row === undefined || isOver(row)) return null;
    answer.isRunning = row.phase === "running";
    return { kind: "asked", job, what };
  });
  await log.sync();
  if (seq === null) return (await log.refresh()).jobs.has(job) ? "over" : "unknown";
  return answer.isRunning ? "asked" : "done";
}

async function* listChanges({ log, changes }: EngineParts, signal: AbortSignal): AsyncGenerator<void, void> {
  const wait = waitForChanges(changes, signal);
  try {
    for (let known = log.known().seq; !signal.aborted; await wait.next()) {
      const { seq } = log.known();
      if (seq !== known) yield;
      known = seq;
    }
  } finally {
    wait.close();
  }
}

interface AttachmentName {
  readonly job: JobId;
  readonly attempt: number;
  readonly name: string;
}

async function findAttachment({ store, log }: EngineParts, { job, attempt, name }: AttachmentName) {
  const row = (await log.refresh()).jobs.get(job);
  const stored = row?.attachments.find((one) => one.name === name && one.attempt === attempt);
  return row === undefined || stored === undefined ? null : store.readAttachment(row.store, stored);
}
