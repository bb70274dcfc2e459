/** The queue of a user on one machine: files in a folder, no server, no lock. docs/queue.md says what it promises. */
import type { Engine, JobAsk, JobView, SeenWorker } from "../../contract/queue/engine.ts";
import type { JobId } from "../../contract/queue/job.ts";
import { isOver } from "../../core/queue/job-end.ts";
import type { JobRow } from "../../core/queue/job-row.ts";
import type { QueueState } from "../../core/queue/queue-state.ts";
import { viewJob } from "../../core/queue/view-job.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { readOwnIdentity } from "../../io/process/process-identity.ts";
import { readSteadyMs } from "../../io/queue/beats.ts";
import { readStored } from "../../io/queue/job-files.ts";
import { openClaims } from "./claim-job.ts";
import { type EngineOptions, type EngineParts, joinParts, waitForChanges } from "./engine-parts.ts";
import { findDueInCron } from "./cron.ts";
import { followJobLines } from "./follow-job-lines.ts";
import { QueueError } from "../../contract/queue/queue-error.ts";
import { findSpec } from "./own-worker.ts";
import { watchWorkers, type WorkerWatch } from "./lost-workers.ts";
import { submitJob } from "./submit-job.ts";

const LOG_BYTES_MAX = 4 * 1024 * 1024;

/** Everything but the folder has a default; a double is for tests. */
type FilesEngineOptions = Pick<EngineOptions, "folder"> & Partial<EngineOptions>;

export async function openFilesEngine(options: FilesEngineOptions): Promise<Engine> {
  const identity = await readOwnIdentity();
  const defaults = { readClockMs, readSteadyMs, findDue: findDueInCron, logBytesMax: LOG_BYTES_MAX };
  const parts = joinParts({ ...defaults, ...options }, identity);
  const watch = watchWorkers(parts);
  const claims = openClaims(parts, watch);
  return {
    facts: { name: "files", shared: false, durable: "fsync" },
    submit: (spec, terms, id) => submitJob(parts, { spec, terms, id: id ?? null }),
    claim: claims.claim,
    ask: async (job, what) => {
      await watch.recordLosses(); // A job whose worker is gone waits, so that it happens at once.
      return ask(parts, job, what);
    },
    ...openControls(parts),
    ...openViews(parts, watch),
    limits: openLimits(parts),
    close: async () => {
      claims.close();
      parts.changes.close();
      parts.log.close();
    },
  };
}

function openControls({ log }: EngineParts): Pick<Engine, "hold" | "isHeld" | "retry" | "move"> {
  return {
    hold: async (isPaused) => {
      log.record(({ isHeld }) => (isHeld === isPaused ? null : { kind: "held", is_held: isPaused }));
      await log.sync();
    },
    isHeld: async () => log.refresh().isHeld,
    retry: async (job) => {
      const seq = log.record(({ jobs }) => {
        const row = jobs.get(job);
        return row !== undefined && isOver(row) ? { kind: "retried", job } : null;
      });
      await log.sync();
      if (seq !== null) return "waiting";
      return log.refresh().jobs.has(job) ? "not-over" : "unknown";
    },
    move: async (job, priority) => {
      const seq = log.record(({ jobs }) => (canMove(jobs.get(job)?.phase) ? { kind: "moved", job, priority } : null));
      await log.sync();
      if (seq !== null) return "moved";
      return log.refresh().jobs.has(job) ? "not-waiting" : "unknown";
    },
  };
}

function openViews(
  parts: EngineParts,
  { look }: Pick<WorkerWatch, "look">,
): Pick<Engine, "jobs" | "find" | "readSpec" | "follow" | "changes" | "readAttachment"> {
  const { log, now } = parts;
  const view = async (rows: (state: QueueState) => readonly JobRow[]): Promise<readonly JobView[]> => {
    const workers = new Map<JobId, SeenWorker | null>();
    for (const row of rows(log.refresh())) if (row.worker !== null) workers.set(row.id, await look(row));
    const state = log.refresh();
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
      const row = log.refresh().jobs.get(job);
      const spec = row === undefined ? null : findSpec(parts, row);
      return spec instanceof QueueError ? null : spec;
    },
    follow: (job, from, signal) => followJobLines(parts, { job, from, signal }),
    changes: (signal) => listChanges(parts, signal),
    readAttachment: async (job, attempt, name) => findAttachment(parts, { job, attempt, name }),
  };
}

function openLimits({ log, now }: EngineParts): Engine["limits"] {
  return {
    block: async (agent, until) => {
      log.record(({ limits }) => ((limits.get(agent) ?? "") < until ? { kind: "blocked", agent, until } : null));
      await log.sync();
    },
    list: async () =>
      [...log.refresh().limits].filter(([, until]) => until > now()).map(([agent, until]) => ({ agent, until })),
  };
}

function canMove(phase: string | undefined): boolean {
  return phase === "waiting" || phase === "scheduled";
}

async function ask({ log }: EngineParts, job: JobId, what: JobAsk): ReturnType<Engine["ask"]> {
  const answer = { isRunning: false };
  const seq = log.record(({ jobs }) => {
    const row = jobs.get(job);
    if (row === undefined || isOver(row)) return null;
    answer.isRunning = row.phase === "running";
    return { kind: "asked", job, what };
  });
  await log.sync();
  if (seq === null) return log.refresh().jobs.has(job) ? "over" : "unknown";
  return answer.isRunning ? "asked" : "done";
}

async function* listChanges({ log, changes }: EngineParts, signal: AbortSignal): AsyncGenerator<void, void> {
  const wait = waitForChanges(changes, signal);
  try {
    for (let known = log.refresh().seq; !signal.aborted; await wait.next()) {
      const { seq } = log.refresh();
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

function findAttachment({ folder, log }: EngineParts, { job, attempt, name }: AttachmentName) {
  const row = log.refresh().jobs.get(job);
  const stored = row?.attachments.find((one) => one.name === name && one.attempt === attempt);
  if (row === undefined || stored === undefined) return null;
  return readStored({ folder, store: row.store, attempt }, name, stored);
}
