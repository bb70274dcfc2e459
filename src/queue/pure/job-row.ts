/** A job as the queue keeps it: changed in place by one record after the other. */
import type { SessionProcess } from "../../records/session-process.ts";
import type { JobAsk, JobPhase } from "./engine.ts";
import type { Attachment, JobHead, JobId, JobResult, JobSpent, JobTerms } from "./job.ts";
import type { WorkerIdentity } from "./queue-record.ts";

interface JobLoss {
  readonly attempt: number;
  readonly at: string;
  readonly why: string;
}

/** How much of an attempt's file of lines counts, and the record that said so. */
interface LinesEnd {
  readonly attempt: number;
  readonly bytes: number;
  readonly seq: number;
}

export interface JobRow {
  readonly id: JobId;
  /** The name of its folder, which no other job ever has. */
  readonly store: string;
  readonly head: JobHead;
  /** The hash of the whole specification, which lies in a file. */
  readonly spec: string;
  terms: JobTerms;
  phase: JobPhase;
  isPaused: boolean;
  readonly submittedAt: string;
  /** Of two jobs with one priority, the smaller order goes first. */
  readonly order: number;
  attempt: number;
  token: number;
  worker: WorkerIdentity | null;
  leaseMs: number;
  process: SessionProcess | null;
  startedAt: string | null;
  endedAt: string | null;
  /** The number of the record that ended it. */
  endedBy: number;
  /** Since the newest claim. */
  asks: JobAsk[];
  spent: JobSpent;
  result: JobResult | null;
  attachments: Attachment[];
  losses: JobLoss[];
  /** Attempts lost since it was submitted or tried again. */
  lost: number;
  /** Jobs that it still waits for. */
  blockers: JobId[];
  lines: LinesEnd[];
  /** Of a schedule: the newest time that became a job. */
  fired: { readonly time: string; readonly job: JobId } | null;
}
