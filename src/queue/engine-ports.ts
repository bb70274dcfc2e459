/** What an engine stands on: a log of records, a store of the jobs' own data, and the beats of workers. */
import type { Claim, Fenced, JobLine, JobLinesRequest } from "./pure/engine.ts";
import type { Attachment } from "./pure/job.ts";
import type { QueueEvent, WorkerIdentity } from "./pure/queue-record.ts";
import type { QueueState } from "./pure/queue-state.ts";

/** The log of a queue, followed by one process. Of several records with one number, one counts for every reader. */
export interface QueueLog {
  /** The state as far as it is known here; a shared engine may have newer records. */
  readonly known: () => QueueState;
  /** The state with everything that is in the log now. */
  readonly refresh: () => Promise<QueueState>;
  /**
   * Appends what `decide` answers for the newest state, which is asked again when another process was faster. Answers the
   * number of the record; null where `decide` answers null. `decide` must not wait.
   */
  readonly record: (decide: (state: QueueState) => QueueEvent | null) => Promise<number | null>;
  /** Resolves once all records that this process knows are durable. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface StoredPlace {
  /** The name of the job's own store, which no other job ever has. */
  readonly store: string;
  readonly attempt: number;
}

/** Writes lines of one attempt, batch after batch. */
export type AppendLines = (lines: readonly string[]) => Promise<"recorded" | Fenced>;

export interface LinesPlace extends StoredPlace {
  readonly job: string;
  /** Records how many bytes of lines count; null where the job is in other hands. */
  readonly count: (bytes: number) => Promise<number | null>;
}

/** Specifications, lines and attachments. */
export interface JobStore {
  /** Answers its hash. */
  readonly writeSpec: (store: string, text: string) => Promise<string>;
  /** Throws a `QueueError` of the kind `damaged` where it is missing or altered. */
  readonly readSpec: (store: string, sha256: string) => Promise<string>;
  readonly remove: (stores: readonly string[]) => Promise<void>;
  /** Removes forgotten stores, and those that a killed process left before it could record its job. */
  readonly sweep: (dropped: readonly string[], known: ReadonlySet<string>) => Promise<void>;
  readonly openLines: (place: LinesPlace) => AppendLines;
  readonly follow: (request: JobLinesRequest) => AsyncIterable<JobLine>;
  readonly attach: (
    place: StoredPlace,
    name: string,
    content: AsyncIterable<Uint8Array>,
  ) => Promise<Pick<Attachment, "sha256" | "bytes">>;
  readonly readAttachment: (store: string, attachment: Attachment) => AsyncIterable<Uint8Array>;
}

/** The beats of one worker of this process. */
export interface OwnBeats {
  /** Resolves once others can see it. */
  readonly beat: () => Promise<void>;
  readonly shortenLease: (leaseMs: number) => void;
  /** Null where a successor looks into the same table of processes. */
  readonly leash: Claim["leash"] | null;
  readonly close: (isIdle: boolean) => Promise<void>;
}

export interface Beats {
  readonly open: (worker: string) => OwnBeats;
  /** Milliseconds since its last sign of life, as far as this process can tell. */
  readonly countSilence: (worker: WorkerIdentity) => number;
  /** Whether a long silence is its own, and not that of this process. */
  readonly confirmSilence: (worker: WorkerIdentity) => Promise<boolean>;
  /** The age of its last beat in milliseconds, for people; null where nothing is known. No loss is decided by it. */
  readonly readAge: (worker: WorkerIdentity) => number | null;
  readonly forget: (worker: string) => Promise<void>;
}
