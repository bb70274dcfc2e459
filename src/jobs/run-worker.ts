/** Takes jobs from the queue, several at a time, until a signal or until nothing is left. */
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { Claim, ClaimWait, JobView, WorkerView } from "../queue/pure/engine.ts";
import type { WorkerEvent, WorkerSummary } from "../queue/pure/job.ts";
import { readOwnIdentity } from "../process/process-identity.ts";
import { locateJobFolder, removeJobFolder, setJobFolderAside, sweepJobFolders } from "../journal/job-folder.ts";
import { handOffJob, type Queue } from "./decide-job.ts";
import { openPatience } from "./patience.ts";
import { type JobRun, runJob } from "./run-job.ts";
import type { JobEnding } from "./settle-job.ts";

export interface WorkerRequest extends Pick<JobRun, "relais" | "environment" | "isSandboxed"> {
  readonly slots: number;
  readonly labels: readonly string[];
  readonly until: ClaimWait["until"];
  readonly signal: AbortSignal;
  readonly emit: (event: WorkerEvent) => void;
}

/** A worker that is gone is noticed at once; this is for one that does not answer any more. */
const LEASE_MS = 60_000;

export async function runWorker(queue: Queue, request: WorkerRequest): Promise<WorkerSummary> {
  const { host, pid } = await readOwnIdentity();
  const worker = { id: `${host}-${pid}-${randomBytes(4).toString("hex")}`, host, pid };
  const counts = { done: 0, failed: 0, cancelled: 0, released: 0, fenced: 0 };
  await sweep(queue);
  // A queue that cannot be used ends all slots.
  const broken = new AbortController();
  const signal = AbortSignal.any([request.signal, broken.signal]);
  const insist = openPatience(signal, (message) => request.emit({ kind: "warned", message }));
  const slots = Array.from({ length: request.until === "once" ? 1 : request.slots }, async (_, at) => {
    try {
      const slot = { ...request, signal, insist, worker, slot: at + 1 };
      await runSlot(queue, { ...slot, count: (name) => (counts[name] += 1) });
    } catch (error) {
      broken.abort();
      throw error;
    }
  });
  const ended = await Promise.allSettled(slots);
  const failure = ended.find((end) => end.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  await sweep(queue);
  return counts;
}

interface Slot extends WorkerRequest, Pick<JobRun, "insist"> {
  readonly worker: WorkerView;
  readonly slot: number;
  readonly count: (name: keyof WorkerSummary) => void;
}

async function runSlot(queue: Queue, slot: Slot): Promise<void> {
  const { labels, signal, until, worker, insist } = slot;
  while (!signal.aborted) {
    const want = { labels, leaseMs: LEASE_MS };
    const claim = await insist(() => queue.engine.claim(worker, want, { signal, until }));
    if (claim === null) return;
    await takeJob(queue, slot, claim);
    if (until === "once") return;
  }
}

async function takeJob(queue: Queue, slot: Slot, claim: Claim): Promise<void> {
  const { job, spec, attempt } = claim;
  const { emit, signal } = slot;
  const of = { slot: slot.slot, job };
  const { repository } = spec;
  const name = repository.kind === "url" ? repository.url : repository.path;
  emit({ kind: "claimed", ...of, title: spec.title, repository: name, attempt });
  const ending = await runJob({
    ...slot,
    ...queue,
    claim,
    stop: signal,
    onLine: (line) => emit({ kind: "line", ...of, line }),
  });
  slot.count(ending.kind === "finished" ? ending.result.outcome : ending.kind);
  emit({ ...of, ...ending });
  if (ending.kind === "finished") await closeJob(queue, slot, claim, ending);
}

/** The result is recorded; what follows happens once, by the worker that recorded it. */
async function closeJob(
  queue: Queue,
  { environment, emit, signal }: Slot,
  claim: Claim,
  ending: Extract<JobEnding, { kind: "finished" }>,
): Promise<void> {
  const folder = setJobFolderAside(
    locateJobFolder(queue.locateFolder(claim.job, claim.spec.repository)),
    String(claim.token),
  );
  if (folder === null) return;
  const warning = await handOffJob({ cwd: folder.repo, claim, result: ending.result, environment, signal });
  if (warning !== null) emit({ kind: "warned", message: warning });
  removeJobFolder(folder);
}

async function sweep({ engine, work, locateFolder }: Queue): Promise<void> {
  const views = (await engine.jobs()).filter(isOpen);
  const open = new Set(views.map(({ id, spec }) => basename(locateFolder(id, spec.repository))));
  await sweepJobFolders(work, (name) => open.has(name));
}

function isOpen({ phase }: JobView): boolean {
  return phase === "waiting" || phase === "running";
}
