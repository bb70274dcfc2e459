import { randomBytes } from "node:crypto";
import { type JobPhase, QueueError } from "./pure/engine.ts";
import type { JobId, JobSpec, JobTerms, KnownJob } from "./pure/job.ts";
import { SCHEDULE_NAME_MAX } from "./pure/due-schedules.ts";
import type { QueueState } from "./pure/queue-state.ts";
import type { EngineParts } from "./engine-parts.ts";

/** No other job ever has the same folder, not even a later one with the same name. */
export function nameStore(id: JobId): string {
  return `${id}-${randomBytes(6).toString("hex")}`;
}

export async function submitJob(
  parts: EngineParts,
  spec: JobSpec,
  terms: JobTerms /** Null for a new name. */,
  id: JobId | null,
): Promise<JobId> {
  const { log } = parts;
  const state = await log.refresh();
  const job = id ?? nameJob(state);
  refuseImpossible(parts, state, { job, terms });
  const store = nameStore(job);
  const sha256 = await parts.store.writeSpec(store, JSON.stringify(spec));
  const { files: _files, config: _config, ...head } = spec;
  try {
    const seq = await log.record((newest) => {
      if (newest.jobs.has(job)) return null;
      refuseImpossible(parts, newest, { job, terms });
      return { kind: "submitted", job, store, head, spec: sha256, terms };
    });
    if (seq === null) await parts.store.remove([store]);
  } catch (error) {
    await parts.store.remove([store]);
    throw error;
  }
  await log.sync(); // Also where another process submitted it: it must not be lost after this answer.
  return job;
}

/** Jobs that it waits for may come back later, so nothing is refused. */
export async function restoreJob(
  { log, store: files }: EngineParts,
  { job, spec, terms, attempt, spent, result }: KnownJob,
): Promise<"restored" | "known"> {
  const store = nameStore(job);
  const sha256 = await files.writeSpec(store, JSON.stringify(spec));
  const { files: _files, config: _config, ...head } = spec;
  const seq = await log.record(({ jobs }) => {
    const row = jobs.get(job);
    if (row !== undefined && (result === null || row.phase !== "waiting")) return null;
    return { kind: "restored", job, store, head, spec: sha256, terms, attempt, spent, result };
  });
  await log.sync();
  if (seq !== null) return "restored";
  await files.remove([store]);
  return "known";
}

/** Short enough to type. */
function nameJob({ jobs }: QueueState): JobId {
  for (;;) {
    const name = `job-${randomBytes(4).toString("hex")}`;
    if (!jobs.has(name)) return name;
  }
}

/** A job may only wait for jobs that are there already, so jobs never wait for each other in a circle. */
function refuseImpossible(
  parts: EngineParts,
  state: QueueState,
  { job, terms }: { readonly job: JobId; readonly terms: JobTerms },
): void {
  if (state.jobs.has(job)) return;
  for (const id of terms.after) refuseWait(id, state.jobs.get(id)?.phase);
  if (terms.every !== null) refuseSchedule(parts, job, { ...terms, every: terms.every });
}

function refuseWait(id: JobId, phase: JobPhase | undefined): void {
  if (phase === undefined) throw new QueueError("refused", `there is no job ${id} to wait for: submit it first`);
  if (phase === "scheduled") throw new QueueError("refused", `${id} is a schedule, which never ends`);
  if (phase === "failed" || phase === "cancelled")
    throw new QueueError("refused", `job ${id} ended as ${phase}: retry it first`);
}

function refuseSchedule(
  { findDue, now }: EngineParts,
  job: JobId,
  { after, every }: JobTerms & { readonly every: string },
): void {
  if (job.length > SCHEDULE_NAME_MAX)
    throw new QueueError("refused", `the name of a schedule has ${SCHEDULE_NAME_MAX} characters at most`);
  if (after.length > 0) throw new QueueError("refused", "a schedule cannot wait for a job");
  findDue(every, { after: null, until: now() });
}
