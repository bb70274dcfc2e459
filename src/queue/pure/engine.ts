import type { Leash, SessionProcess } from "../../records/session-process.ts";
import type { Attachment, JobHead, JobId, JobKey, JobResult, JobSpec, JobSpent, JobTerms, KnownJob } from "./job.ts";

/**
 * The interface of a queue. relais has its own durable record, the journal of each repository; an engine only knows
 * jobs: who may work on which one, and how it ended.
 *
 * Everything that a worker does for a job carries the token of its claim. A worker whose claim was lost gets `fenced` for
 * all of it: it stops its session, keeps its salvage, and leaves the job to its successor.
 */

export type Fenced = "fenced";

export type JobAsk = "cancel" | "pause" | "resume";

/** `scheduled` is a schedule, which never runs itself. */
export type JobPhase = "scheduled" | "waiting" | "running" | "done" | "failed" | "cancelled";

export interface JobView {
  readonly id: JobId;
  readonly spec: JobHead;
  readonly terms: JobTerms;
  readonly phase: JobPhase;
  readonly isPaused: boolean;
  readonly submittedAt: string;
  /** The number of the newest attempt; 0 before the first one. */
  readonly attempt: number;
  /** Of the newest claim; "0" before the first one. */
  readonly token: bigint;
  readonly worker: SeenWorker | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Why a waiting job does not start now; null where only a worker is missing. */
  readonly waitsFor: string | null;
  readonly asked: JobAsk | null;
  readonly spent: JobSpent;
  readonly result: JobResult | null;
  readonly attachments: readonly Attachment[];
  /** How each earlier attempt was lost. */
  readonly losses: readonly { readonly attempt: number; readonly at: string; readonly why: string }[];
}

export interface WorkerView {
  /** Unique for each process of a worker. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
}

/** The worker of a running job, as others see it. */
export interface SeenWorker extends WorkerView {
  /** Since its last sign of life; null where nothing is known. */
  readonly silentMs: number | null;
  /** Why the next claim takes the job over; null while its worker holds it. */
  readonly lost: string | null;
}

export interface WorkerWant {
  readonly labels: readonly string[];
  readonly leaseMs: number;
}

/** Where a reader of lines stands; the empty one is the beginning. */
export type Cursor = string;

/** One line of the journal of a job's session, or of the engine itself. */
export interface JobLine {
  readonly job: JobId;
  readonly attempt: number;
  readonly cursor: Cursor;
  readonly text: string;
}

export interface JobLinesRequest {
  /** Null for all jobs. */
  readonly job: JobId | null;
  readonly from: Cursor;
  readonly signal: AbortSignal;
  /** Ends after the last line of a job that is over. Absent is no. */
  readonly untilOver?: true;
}

export interface Engine {
  readonly facts: {
    readonly name: string;
    /** Whether several machines share it. */
    readonly shared: boolean;
    readonly durable: "fsync" | "deferred" | "replicated";
  };
  /** The same id twice is one job. Throws a `QueueError` of the kind `refused` where the job could never start. */
  readonly submit: (spec: JobSpec, terms: JobTerms, id?: JobId) => Promise<JobId>;
  /**
   * Waits for a job whose key is free. The lock of the key, the next attempt and the first beat are one step. Null when the
   * wait is over.
   */
  readonly claim: (worker: WorkerView, want: WorkerWant, wait: ClaimWait) => Promise<Claim | null>;
  /** The job that a worker with these labels would get now, as far as it is known here; null where there is none. */
  readonly peek: (labels: readonly string[]) => { readonly priority: number; readonly submittedAt: string } | null;
  /** `done`: it happened at once. `asked`: the worker that holds the job does it. `over`: the job has ended. */
  readonly ask: (job: JobId, what: JobAsk) => Promise<"done" | "asked" | "over" | "unknown">;
  /** The whole queue: nothing is claimed while it is paused. */
  readonly hold: (isPaused: boolean) => Promise<void>;
  readonly isHeld: () => Promise<boolean>;
  /** Brings a job back that a server has lost. `known`: the queue has it, and nothing is to be added. */
  readonly restore: (job: KnownJob) => Promise<"restored" | "known">;
  /** A job that has ended waits again, with a fresh number of attempts. */
  readonly retry: (job: JobId) => Promise<"waiting" | "not-over" | "unknown">;
  readonly move: (job: JobId, priority: number) => Promise<"moved" | "not-waiting" | "unknown">;
  readonly jobs: () => Promise<readonly JobView[]>;
  readonly find: (job: JobId) => Promise<JobView | null>;
  /** With its files, which a view leaves out; null for an unknown job, or one whose files are gone. */
  readonly readSpec: (job: JobId) => Promise<JobSpec | null>;
  /** Lines of all jobs or of one, from a cursor on, and then new ones until the signal. */
  readonly follow: (job: JobId | null, from: Cursor, signal: AbortSignal) => AsyncIterable<JobLine>;
  /** All lines of a job, the last one included, until it is over or the signal comes. */
  readonly followToEnd: (job: JobId, signal: AbortSignal) => AsyncIterable<JobLine>;
  /** Again whenever something in the queue changes. Several changes may be one. */
  readonly changes: (signal: AbortSignal) => AsyncIterable<void>;
  readonly readAttachment: (job: JobId, attempt: number, name: string) => Promise<AsyncIterable<Uint8Array> | null>;
  readonly limits: AgentLimits;
  readonly close: () => Promise<void>;
}

export interface ClaimWait {
  readonly signal: AbortSignal;
  /**
   * `once` answers null at once where no job can be claimed now. `drain` answers null when nothing waits or runs that
   * could still start here without a person, a later time or a worker with other labels.
   */
  readonly until: "signal" | "once" | "drain";
}

/** What all workers share: when an agent's service accepts work again. */
export interface AgentLimits {
  /** Only ever later. */
  readonly block: (agent: string, until: string) => Promise<void>;
  readonly list: () => Promise<readonly { readonly agent: string; readonly until: string }[]>;
}

export interface Claim {
  readonly job: JobId;
  readonly key: JobKey;
  readonly spec: JobSpec;
  readonly attempt: number;
  /** Grows with every claim of this key. */
  readonly token: bigint;
  /** By all attempts before this one. */
  readonly spent: JobSpent;
  /**
   * Processes of lost attempts with the same key, also of other jobs. They must be proven gone before any work;
   * `started` says that they are.
   */
  readonly leftovers: readonly Leftover[];
  /** Aborted when the lease is gone. The engine beats by itself until then. */
  readonly lost: AbortSignal;
  /** Calls with each new leash, also with the one of now. Never where a successor sees the processes of this worker. */
  readonly leash: (listener: (leash: Leash) => void) => () => void;
  /** What people ask of the running job, in order. */
  readonly asked: (signal: AbortSignal) => AsyncIterable<JobAsk>;
  /** Before the process does anything, so that a successor can end it; and after all leftovers are gone. */
  readonly started: (process: SessionProcess) => Promise<"recorded" | Fenced>;
  readonly append: (lines: readonly string[]) => Promise<"recorded" | Fenced>;
  readonly attach: (name: string, bytes: AsyncIterable<Uint8Array>) => Promise<Attachment | Fenced>;
  /** Adds to what was spent, and keeps it if the worker is lost. */
  readonly spend: (spent: JobSpent) => Promise<"recorded" | Fenced>;
  readonly finish: (result: JobResult) => Promise<"recorded" | Fenced>;
  /** Gives the job back: it waits again, and this attempt does not count as lost. */
  readonly release: (why: string, notBefore: string | null) => Promise<void>;
}

/** A process that a lost worker may have left behind. */
export interface Leftover {
  readonly job: JobId;
  readonly attempt: number;
  readonly process: SessionProcess;
}

/**
 * `refused`: the job could never start as it was asked for. `unwritable`: the disk is full, or the folder does not allow
 * it; what was asked for did not happen. `damaged`: records are missing or altered, so nothing is decided any more.
 * `newer`: a newer relais wrote it. `unreachable`: its server does not answer; what was asked for may have happened.
 */
export type QueueErrorKind = "refused" | "unwritable" | "unreachable" | "damaged" | "newer";

/** A queue that could not do what was asked for. The message names the thing and the next step. */
export class QueueError extends Error {
  override readonly name = "QueueError";
  readonly kind: QueueErrorKind;

  constructor(kind: QueueErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Whether the same may work a moment later. */
export function isPassing(error: unknown): boolean {
  return error instanceof QueueError && (error.kind === "unwritable" || error.kind === "unreachable");
}
