import type { SessionProcess } from "../../records/session-process.ts";
import type { JobAsk, JobPhase } from "./engine.ts";
import type { Attachment, JobHead, JobId, JobResult, JobSpent, JobTerms, JobSpec } from "./job.ts";
import type { WorkerIdentity } from "./queue-record.ts";

/** A job as the queue keeps it: changed in place by one record after the other. */

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

/** A job whose result cannot land goes back once, with the reason as context. */

const SUFFIX = "-again";
const NAME_CHARS_MAX = 64;
const CONTEXT_CHARS_MAX = 16_000;

/** Among the files of a job: what its builders read behind their own prompts. */
export const SETBACK_FILE = "context.txt";

/** Null for a job that went back before. */
export function nameSecondJob(job: string): string | null {
  return job.endsWith(SUFFIX) ? null : `${job.slice(0, NAME_CHARS_MAX - SUFFIX.length)}${SUFFIX}`;
}

interface Setback {
  /** Why it could not land, in sentences. */
  readonly reason: string;
  /** The commit on which it could not land, and its branch. */
  readonly base: JobSpec["base"];
}

/** Null for a patch: no session could do it in another way. */
export function planSecondJob(spec: JobSpec, { reason, base }: Setback): JobSpec | null {
  if ("patch" in spec.files) return null;
  const text = `This was done before, on an older commit, and could not land. Do it again from the files as they are now.
${reason}`;
  return { ...spec, base, files: { ...spec.files, [SETBACK_FILE]: text.slice(0, CONTEXT_CHARS_MAX) } };
}
