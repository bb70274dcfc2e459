/**
 * Finds workers that are gone or late.
 *
 * A process is gone at once when the table of processes says so. One that is there but silent for longer than its lease
 * is late: it may be stopped, or on a machine that this one cannot look into.
 */
import { Cron } from "croner";
import {
  type Claim,
  type ClaimWait,
  type Engine,
  type JobAsk,
  type JobView,
  QueueError,
  type SeenWorker,
  type WorkerView,
  type WorkerWant,
} from "./pure/engine.ts";
import type { WorkerIdentity } from "./pure/queue-record.ts";
import type { JobRow } from "./pure/job-row.ts";
import { readProcessState } from "../process/process-identity.ts";
import { type EngineParts, waitForChanges } from "./engine-parts.ts";
import { type FindDue, findDueTime } from "./pure/due-schedules.ts";
import { nameStore, restoreJob, submitJob } from "./submit-job.ts";
import { chooseJob, mayComeHere } from "./pure/choose-job.ts";
import { findSpec, openOwnWorker, type OwnWorker } from "./own-worker.ts";
import type { JobId } from "./pure/job.ts";
import { isOver } from "./pure/job-end.ts";
import type { QueueState } from "./pure/queue-state.ts";
import { viewJob } from "./pure/view-job.ts";
import { describeError } from "../base/errors.ts";

interface WorkerWatch {
  /** Null where no worker holds the job. */
  readonly look: (row: HeldRow) => Promise<SeenWorker | null>;
  readonly recordLosses: () => Promise<void>;
}

type HeldRow = Pick<JobRow, "worker" | "leaseMs">;

export function watchWorkers(parts: EngineParts): WorkerWatch {
  const { log, beats } = parts;

  const findLoss = async ({ worker, leaseMs }: HeldRow): Promise<string | null> => {
    if (worker === null || isThisProcess(parts, worker)) return null;
    if ((await readState(worker)) === "gone") return "its worker is gone";
    const silentMs = beats.countSilence(worker);
    return silentMs > leaseMs && (await beats.confirmSilence(worker)) ? describeSilence(silentMs) : null;
  };

  const look: WorkerWatch["look"] = async (row) => {
    const { worker, leaseMs } = row;
    if (worker === null) return null;
    const { id, host, pid } = worker;
    const lost = await findLoss(row);
    const silentMs = beats.readAge(worker);
    const late = silentMs !== null && silentMs > leaseMs ? describeSilence(silentMs) : null;
    return { id, host, pid, silentMs, lost: lost ?? (isThisProcess(parts, worker) ? null : late) };
  };

  const recordLosses = async (): Promise<void> => {
    for (const { id: job, token, worker, leaseMs } of [...(await log.refresh()).running.values()].map((row) => ({
      ...row,
    }))) {
      const why = await findLoss({ worker, leaseMs });
      if (worker === null || why === null) continue;
      await log.record(({ running }) => (running.get(job)?.token === token ? { kind: "lost", job, token, why } : null));
      await forgetWorker(parts, worker);
    }
  };
  return { look, recordLosses };
}

function describeSilence(ms: number): string {
  return `its worker was silent for ${Math.round(ms / 1000)} s`;
}

function isThisProcess({ identity }: EngineParts, { pid, birth, boot }: WorkerIdentity): boolean {
  return pid === identity.pid && birth === identity.processStart && boot === identity.bootId;
}

function readState({ pid, birth, boot, host, pid_namespace }: WorkerIdentity): ReturnType<typeof readProcessState> {
  return readProcessState({ pid, processStart: birth, bootId: boot, host, pidNamespace: pid_namespace });
}

/** Its beats go with its last job. A late worker beats again when it claims. */
async function forgetWorker({ beats, log }: EngineParts, worker: WorkerIdentity): Promise<void> {
  const isNeeded = [...log.known().running.values()].some((row) => row.worker?.id === worker.id);
  if (!isNeeded) await beats.forget(worker.id);
}

/** Makes a job of each schedule that is due. Several workers make the same job, because its name is fixed. */
async function fireSchedules(parts: EngineParts): Promise<void> {
  const { store, log } = parts;
  for (;;) {
    const due = findDueTime(await log.refresh(), parts.now(), parts.findDue);
    const schedule = due === null ? undefined : log.known().schedules.get(due.schedule);
    if (due === null || schedule === undefined) return;
    const name = nameStore(due.job);
    await store.writeSpec(name, await store.readSpec(schedule.store, schedule.spec));
    const seq = await log.record((state) => {
      const again = findDueTime(state, parts.now(), parts.findDue);
      return again?.job === due.job ? { kind: "fired", ...due, store: name } : null;
    });
    if (seq === null) await store.remove([name]);
    else await log.sync();
  }
}

/** Between two looks at all workers and schedules. */
const LOOK_MS = 200;

interface Claims {
  readonly claim: (worker: WorkerView, want: WorkerWant, wait: ClaimWait) => Promise<Claim | null>;
  readonly close: () => Promise<void>;
}

function openClaims(parts: EngineParts, { recordLosses }: Pick<WorkerWatch, "recordLosses">): Claims {
  const workers = new Map<string, OwnWorker>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** Work that waits for somebody; each claim does it first. */
  const prepare = async (): Promise<void> => {
    if (parts.log.known().dropped.size > 0) await sweep(parts);
    if (parts.readSteadyMs() - lookedAt < LOOK_MS) return;
    lookedAt = parts.readSteadyMs();
    await recordLosses();
    await fireSchedules(parts);
  };

  return {
    claim: async ({ id }, want, wait) => {
      const own = workers.get(id) ?? openOwnWorker(parts, id);
      workers.set(id, own);
      const changes = waitForChanges(parts.changes, wait.signal);
      try {
        while (!wait.signal.aborted) {
          await prepare();
          const claim = await own.claim(want);
          if (claim !== null) return claim;
          if (await isWaitOver(parts, want, wait)) return null;
          await changes.next();
        }
        return null;
      } finally {
        changes.close();
      }
    },
    close: async () => {
      for (const own of workers.values()) await own.close();
    },
  };
}

async function isWaitOver({ log, now }: EngineParts, { labels }: WorkerWant, { until }: ClaimWait): Promise<boolean> {
  if (until === "once") return true;
  return until === "drain" && !mayComeHere(await log.refresh(), { now: now(), labels });
}

async function sweep({ log, store }: EngineParts): Promise<void> {
  const { dropped, jobs } = await log.refresh();
  const stores = [...dropped];
  await store.sweep(stores, new Set([...jobs.values()].map((row) => row.store)));
  await log.record(() => ({ kind: "swept", stores }));
}

/** All operations of an engine, on whatever its log, its store and its beats are. docs/queue.md says what it promises. */

interface EngineSetup extends EngineParts {
  readonly facts: Engine["facts"];
  /** Where the log itself keeps them, this is not given. */
  readonly limits?: Engine["limits"];
}

export function openEngine({ facts, limits, ...parts }: EngineSetup): Engine {
  const watch = watchWorkers(parts);
  const claims = openClaims(parts, watch);
  return {
    facts,
    submit: (spec, terms, id) => submitJob(parts, spec, terms, id ?? null),
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
      return viewJob(state, row, at, row.worker?.id === worker?.id ? worker : null);
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
    readAttachment: async (job, attempt, name) => findAttachment(parts, job, attempt, name),
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

async function findAttachment({ store, log }: EngineParts, job: JobId, attempt: number, name: string) {
  const row = (await log.refresh()).jobs.get(job);
  const stored = row?.attachments.find((one) => one.name === name && one.attempt === attempt);
  return row === undefined || stored === undefined ? null : store.readAttachment(row.store, stored);
}

/** Times of schedules, in the time zone of this machine. */

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;

/** Throws a `QueueError` where the text is not five fields of cron, or a name such as `@daily`. */
export const findDueInCron: FindDue = (every, { after, until }) => {
  const untilMs = Date.parse(until);
  const afterMs = after === null ? untilMs - HOUR_MS : Date.parse(after);
  // Croner looks for times before a moment, and a cron has whole seconds.
  const [time] = readCron(every).previousRuns(1, new Date(untilMs + SECOND_MS));
  const isDue = time !== undefined && time.getTime() > afterMs && time.getTime() <= untilMs;
  return isDue ? time.toISOString() : null;
};

function readCron(every: string): Cron {
  if (!/^(?:@[a-z]+|\S+(?:\s+\S+){4})$/i.test(every.trim()))
    throw new QueueError("refused", `the schedule "${every}" does not have five fields, as in "0 9 * * 1-5"`);
  try {
    return new Cron(every.trim(), { mode: "5-part" });
  } catch (error) {
    throw new QueueError("refused", `the schedule "${every}" cannot be read: ${describeError(error)}`);
  }
}

/** How long each worker has shown the same beat, by a steady clock of this process: no clock of another machine counts. */
interface SilenceWatch {
  readonly countSilence: (worker: string, beat: number | null) => number;
}

export function watchSilence(readSteadyMs: () => number): SilenceWatch {
  const seen = new Map<string, { readonly beat: number | null; readonly sinceMs: number }>();
  return {
    countSilence: (worker, beat) => {
      const nowMs = readSteadyMs();
      const before = seen.get(worker);
      if (before !== undefined && before.beat === beat) return nowMs - before.sinceMs;
      seen.set(worker, { beat, sinceMs: nowMs });
      return 0;
    },
  };
}
