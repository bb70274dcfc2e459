/** The snapshot of a queue as a member wrote it: another program may have, so that everything is checked. */
import * as v from "valibot";
import { Attachment, JobHead, JobId, JobKey, JobResult, JobTerms } from "../queue/pure/job.ts";
import { StoreName, WorkerIdentity } from "../queue/pure/queue-record.ts";
import { Sha256, Timestamp } from "../base/identifier.ts";
import { Count, Positive } from "../base/quantity.ts";
import type { QueueSnapshot } from "../queue/pure/queue-state.ts";

const Process = v.strictObject({ pid: Positive, birth: v.string(), boot: v.string() });

/** A sum of many, which may be larger than any one. */
const Sum = v.pipe(v.number(), v.minValue(0));
const Spent = v.strictObject({
  ticks: Sum,
  sessions: Sum,
  dollars: Sum,
  seconds: Sum,
  tokens: v.exactOptional(Sum),
});

const Row = v.strictObject({
  id: JobId,
  store: StoreName,
  head: JobHead,
  spec: Sha256,
  terms: JobTerms,
  phase: v.picklist(["scheduled", "waiting", "running", "done", "failed", "cancelled"]),
  isPaused: v.boolean(),
  submittedAt: Timestamp,
  order: Positive,
  attempt: Count,
  token: Count,
  worker: v.nullable(WorkerIdentity),
  leaseMs: Count,
  process: v.nullable(Process),
  startedAt: v.nullable(Timestamp),
  endedAt: v.nullable(Timestamp),
  endedBy: Count,
  asks: v.array(v.picklist(["cancel", "pause", "resume"])),
  spent: Spent,
  result: v.nullable(v.strictObject({ ...JobResult.entries, spent: Spent })),
  attachments: v.array(Attachment),
  losses: v.array(v.strictObject({ attempt: Positive, at: Timestamp, why: v.string() })),
  lost: Count,
  blockers: v.array(JobId),
  lines: v.array(v.strictObject({ attempt: Count, bytes: Count, seq: Positive })),
  fired: v.nullable(v.strictObject({ time: Timestamp, job: JobId })),
});
type Row = v.InferOutput<typeof Row>;

const Leftovers = v.array(v.strictObject({ job: JobId, attempt: Positive, process: Process }));

const Snapshot = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({
    sum: v.string(),
    queue: v.strictObject({
      seq: Count,
      generation: Positive,
      isHeld: v.boolean(),
      jobs: v.pipe(
        v.array(Row),
        v.check((jobs) => isOfOneQueue(jobs)),
      ),
      limits: v.array(v.tuple([v.string(), Timestamp])),
      leftovers: v.array(v.tuple([JobKey, Leftovers])),
      dropped: v.array(StoreName),
    }),
  }),
);

/** Each job once, and of all with one key at most one that runs, which has a worker. */
function isOfOneQueue(jobs: readonly Row[]): boolean {
  const running = jobs.filter(({ phase }) => phase === "running");
  return (
    new Set(jobs.map(({ id }) => id)).size === jobs.length &&
    new Set(running.map(({ head }) => head.key)).size === running.length &&
    running.every(({ worker, token }) => worker !== null && token > 0)
  );
}

/** Null where it is none. */
export function parseSnapshotText(text: string): { readonly sum: string; readonly queue: QueueSnapshot } | null {
  const parsed = v.safeParse(Snapshot, text);
  return parsed.success ? parsed.output : null;
}
