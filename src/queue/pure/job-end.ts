import type { JobResult } from "./job.ts";
import type { QueueRecord } from "./queue-record.ts";
import type { JobRow } from "./job-row.ts";
import { ENDED_MAX, listWaiting, type QueueState, unlistRunning, unlistWaiting } from "./queue-state.ts";

export function isOver({ phase }: Pick<JobRow, "phase">): boolean {
  return phase === "done" || phase === "failed" || phase === "cancelled";
}

/** Whether no line can follow: the job is over or gone, or only a schedule. */
export function hasAllLines({ jobs }: Pick<QueueState, "jobs">, job: string | null): boolean {
  if (job === null) return false;
  const row = jobs.get(job);
  return row === undefined || row.phase === "scheduled" || isOver(row);
}

interface JobEnd {
  readonly record: QueueRecord;
  readonly result: JobResult;
}

/** Ends a job, and frees those that waited for it or ends them, too: after a failure they could never start. */
export function endJob(state: QueueState, first: JobRow, end: JobEnd): void {
  const ending = [{ row: first, result: end.result }];
  for (let next = ending.pop(); next !== undefined; next = ending.pop()) {
    const { row, result } = next;
    leavePhase(state, row);
    row.phase = result.outcome;
    row.result = result;
    row.endedAt = end.record.at;
    row.endedBy = end.record.seq;
    const dependents = [...(state.dependents.get(row.id) ?? [])].flatMap((id) => state.jobs.get(id) ?? []);
    for (const other of dependents) {
      if (result.outcome === "done") unblock(state, other, row);
      else ending.push({ row: other, result: endedWith(other, row) });
    }
  }
}

function endedWith(row: JobRow, before: JobRow): JobResult {
  const verb = before.phase === "failed" ? "failed" : "was cancelled";
  const summary = `job ${before.id}, which had to end well before, ${verb}`;
  return { outcome: "cancelled", code: null, exit_status: null, branch: null, commit: null, spent: row.spent, summary };
}

function unblock(state: QueueState, row: JobRow, done: JobRow): void {
  unlistWaiting(state, row);
  row.blockers = row.blockers.filter((id) => id !== done.id);
  listWaiting(state, row);
}

export function waitAgain(state: QueueState, row: JobRow): void {
  leavePhase(state, row);
  row.phase = "waiting";
  listWaiting(state, row);
}

function leavePhase(state: QueueState, row: JobRow): void {
  if (row.phase === "waiting") unlistWaiting(state, row);
  if (row.phase === "running") unlistRunning(state, row);
  state.schedules.delete(row.id);
  row.worker = null;
  row.process = null;
}

/** Keeps the lists short: the oldest ends and the limits that are over go. */
export function forgetOldJobs(state: QueueState, now: string): void {
  const ended = [...state.jobs.values()].filter((row) => isOver(row) && !state.dependents.has(row.id));
  const old = ended.toSorted((one, other) => one.endedBy - other.endedBy).slice(0, -ENDED_MAX);
  for (const { id, store } of old) {
    state.jobs.delete(id);
    state.dropped.add(store);
  }
  for (const [agent, until] of state.limits) if (until < now) state.limits.delete(agent);
}
