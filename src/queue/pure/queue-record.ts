/**
 * The records of a queue's log. Each says what happened; a fold over them is the queue.
 *
 * What a worker records about its job carries the token of its claim, which is the number of the record `claimed`.
 */
import * as v from "valibot";
import { Sha256, Timestamp } from "../../base/identifier.ts";
import { Count, Positive } from "../../base/quantity.ts";
import { Attachment, JobHead, JobId, JobResult, JobSpent, JobTerms } from "./job.ts";

export const QUEUE_VERSION = 1;

const Line = v.pipe(v.string(), v.maxLength(300));

/** A process of a worker, by everything that tells it from another one. */
export const WorkerIdentity = v.strictObject({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  pid: Positive,
  birth: v.string(),
  boot: v.string(),
  host: v.string(),
  pid_namespace: v.nullable(v.string()),
});
export type WorkerIdentity = v.InferOutput<typeof WorkerIdentity>;

const SessionProcess = v.strictObject({ pid: Positive, birth: v.string(), boot: v.string() });

const job = JobId;
/** The name of the job's own folder. */
export const StoreName = v.pipe(v.string(), v.maxLength(100), v.regex(/^[0-9A-Za-z][0-9A-Za-z._-]*$/));
const store = StoreName;
/** So that nobody holds a branch for ever. */
const Lease = v.pipe(Positive, v.maxValue(24 * 60 * 60 * 1000));
const held = { job, token: Positive };

export const QueueEvent = v.variant("kind", [
  v.strictObject({ kind: v.literal("submitted"), job, store, head: JobHead, spec: Sha256, terms: JobTerms }),
  /** A time of a schedule became a job. */
  v.strictObject({ kind: v.literal("fired"), schedule: JobId, job, store, time: Timestamp }),
  v.strictObject({ kind: v.literal("claimed"), job, worker: WorkerIdentity, lease_ms: Lease }),
  v.strictObject({ kind: v.literal("started"), ...held, process: SessionProcess }),
  /** The file of lines of this attempt counts up to this length. */
  v.strictObject({ kind: v.literal("lines"), ...held, bytes: Count }),
  v.strictObject({ kind: v.literal("attached"), ...held, attachment: Attachment }),
  v.strictObject({ kind: v.literal("spent"), ...held, spent: JobSpent }),
  v.strictObject({ kind: v.literal("finished"), ...held, result: JobResult }),
  v.strictObject({ kind: v.literal("released"), ...held, why: Line, not_before: v.nullable(Timestamp) }),
  v.strictObject({ kind: v.literal("lost"), ...held, why: Line }),
  v.strictObject({ kind: v.literal("asked"), job, what: v.picklist(["cancel", "pause", "resume"]) }),
  v.strictObject({ kind: v.literal("held"), is_held: v.boolean() }),
  v.strictObject({ kind: v.literal("retried"), job }),
  v.strictObject({ kind: v.literal("moved"), job, priority: JobTerms.entries.priority }),
  v.strictObject({ kind: v.literal("blocked"), agent: Line, until: Timestamp }),
  /** A member of a shared queue knew a job that the server had lost; with a result where it had ended. */
  v.strictObject({
    kind: v.literal("restored"),
    job,
    store,
    head: JobHead,
    spec: Sha256,
    terms: JobTerms,
    attempt: Count,
    spent: JobSpent,
    result: v.nullable(JobResult),
  }),
  /** The folders of forgotten jobs were removed. */
  v.strictObject({ kind: v.literal("swept"), stores: v.array(store) }),
  /** The last record of a file; the next one goes on. Old jobs are forgotten here. */
  v.strictObject({ kind: v.literal("sealed") }),
]);
export type QueueEvent = v.InferOutput<typeof QueueEvent>;

/** One record, checked before it is written. */
export const QueueRecord = v.strictObject({
  v: v.literal(QUEUE_VERSION),
  seq: Positive,
  at: Timestamp,
  /** Names its writer, so that two equal records differ. */
  by: v.string(),
  event: QueueEvent,
});
export type QueueRecord = v.InferOutput<typeof QueueRecord>;
