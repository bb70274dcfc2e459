/**
 * The queue as a fold over its log. It is changed in place: with ten thousand jobs, a copy for each record would cost
 * more than the work.
 */
import type { Leftover } from "./engine.ts";
import type { JobId, JobKey } from "./job.ts";
import type { JobRow } from "./job-row.ts";
import { addReady, noReadyJobs, type ReadyJobs, removeReady, setBusy, setFree } from "./ready-jobs.ts";

/** Jobs that have ended and are still listed. Older ones are forgotten when the log goes on in a new file. */
export const ENDED_MAX = 1000;

export interface QueueState {
  /** The number of the newest record; 0 where there is none. */
  seq: number;
  /** The file of the log that is written now; the first one is 1. */
  generation: number;
  isHeld: boolean;
  readonly jobs: Map<JobId, JobRow>;
  readonly limits: Map<string, string>;
  readonly leftovers: Map<JobKey, Leftover[]>;
  /** Folders of forgotten jobs that may still be there. */
  readonly dropped: Set<string>;
  readonly ready: ReadyJobs;
  readonly running: Map<JobId, JobRow>;
  /** The running job of each key. */
  readonly holders: Map<JobKey, JobId>;
  readonly schedules: Map<JobId, JobRow>;
  /** Waiting jobs, by a job that they wait for. */
  readonly dependents: Map<JobId, Set<JobId>>;
}

/** Everything that a new process cannot derive. */
export interface QueueSnapshot {
  readonly seq: number;
  readonly generation: number;
  readonly isHeld: boolean;
  readonly jobs: readonly JobRow[];
  readonly limits: readonly (readonly [string, string])[];
  readonly leftovers: readonly (readonly [JobKey, readonly Leftover[]])[];
  readonly dropped: readonly string[];
}

export function emptyQueue(): QueueState {
  return {
    seq: 0,
    generation: 1,
    isHeld: false,
    jobs: new Map(),
    limits: new Map(),
    leftovers: new Map(),
    dropped: new Set(),
    ready: noReadyJobs(),
    running: new Map(),
    holders: new Map(),
    schedules: new Map(),
    dependents: new Map(),
  };
}

export function takeSnapshot(state: QueueState): QueueSnapshot {
  const { seq, generation, isHeld } = state;
  return {
    seq,
    generation,
    isHeld,
    jobs: [...state.jobs.values()],
    limits: [...state.limits],
    leftovers: [...state.leftovers],
    dropped: [...state.dropped],
  };
}

export function restoreQueue(snapshot: QueueSnapshot): QueueState {
  const state = emptyQueue();
  state.seq = snapshot.seq;
  state.generation = snapshot.generation;
  state.isHeld = snapshot.isHeld;
  for (const [agent, until] of snapshot.limits) state.limits.set(agent, until);
  for (const [key, leftovers] of snapshot.leftovers) state.leftovers.set(key, [...leftovers]);
  for (const store of snapshot.dropped) state.dropped.add(store);
  for (const row of snapshot.jobs) addRow(state, row);
  return state;
}

/** Adds a job to the lists of its phase. */
export function addRow(state: QueueState, row: JobRow): void {
  state.jobs.set(row.id, row);
  if (row.phase === "scheduled") state.schedules.set(row.id, row);
  if (row.phase === "waiting") listWaiting(state, row);
  if (row.phase === "running") listRunning(state, row);
}

export function listWaiting(state: QueueState, row: JobRow): void {
  addReady(state.ready, row);
  for (const id of row.blockers) state.dependents.set(id, (state.dependents.get(id) ?? new Set()).add(row.id));
}

export function unlistWaiting(state: QueueState, row: JobRow): void {
  removeReady(state.ready, row);
  for (const id of row.blockers) {
    const others = state.dependents.get(id);
    others?.delete(row.id);
    if (others?.size === 0) state.dependents.delete(id);
  }
}

export function listRunning(state: QueueState, row: JobRow): void {
  state.running.set(row.id, row);
  state.holders.set(row.head.key, row.id);
  setBusy(state.ready, row.head.key);
}

export function unlistRunning(state: QueueState, row: JobRow): void {
  state.running.delete(row.id);
  state.holders.delete(row.head.key);
  setFree(state.ready, row.head.key);
}
