import * as v from "valibot";
import { Argument, Count, Dollars, Positive } from "../../base/quantity.ts";
import { AnyCode } from "../../base/any-code.ts";
import { CommitId, Sha256, Timestamp } from "../../base/identifier.ts";
import type { JournalLine } from "../../records/event.ts";

/**
 * A job: run this series, or one tick, on this repository at this commit, and leave a branch.
 *
 * A job never holds a secret: a worker has its own environment.
 */

const NAME = /^[0-9A-Za-z][0-9A-Za-z._-]*$/;

export const JobId = v.pipe(v.string(), v.maxLength(64), v.regex(NAME, "a job's name has letters, digits, . _ and -"));
export type JobId = v.InferOutput<typeof JobId>;

/** Names a repository and one of its branches: of all jobs with one key, one runs at a time. */
export const JobKey = v.pipe(v.string(), v.minLength(1), v.maxLength(300));
export type JobKey = v.InferOutput<typeof JobKey>;

/** What a worker must have, as in `--needs gpu`. */
export const JobLabel = v.pipe(v.string(), v.maxLength(64), v.regex(NAME, "a label has letters, digits, . _ and -"));

/** The commands of relais that a worker can run. */
export const JobCommand = v.picklist(["run", "task", "goal", "campaign", "tree", "loop"]);
export type JobCommand = v.InferOutput<typeof JobCommand>;

const RepositoryPlace = v.variant("kind", [
  v.strictObject({ kind: v.literal("path"), path: v.pipe(v.string(), v.minLength(1), v.maxLength(4096)) }),
  v.strictObject({ kind: v.literal("url"), url: v.pipe(v.string(), v.minLength(1), v.maxLength(2048)) }),
]);

export const PRIORITY_MAX = 9;

/** What lists and choices need of a job. */
export const JobHead = v.strictObject({
  version: v.literal(1),
  command: JobCommand,
  /** Behind the name of the command, as a person would type it. Files are named by their place in `files`. */
  arguments: v.pipe(v.array(Argument), v.maxLength(64)),
  repository: RepositoryPlace,
  /** The commit that the work starts from, and the branch that it is meant for; null where HEAD is on none. */
  base: v.strictObject({
    commit: CommitId,
    branch: v.nullable(v.string()),
    /** The work starts from the commit that the branch has then; `commit` is what it had when the job was submitted. */
    follows: v.exactOptional(v.literal(true)),
  }),
  key: JobKey,
  needs: v.pipe(v.array(JobLabel), v.maxLength(16)),
  /** Whose service it calls, as far as that was known when it was submitted. */
  agent: v.exactOptional(v.string()),
  /** What the job may cost, as it was printed to the submitter. */
  caps: v.strictObject({
    ticks: v.nullable(Count),
    sessions: v.nullable(Count),
    seconds: v.nullable(Count),
    dollars: v.nullable(Dollars),
  }),
  /** One line for lists. */
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
});
export type JobHead = v.InferOutput<typeof JobHead>;

export const JobSpec = v.strictObject({
  ...JobHead.entries,
  /** Texts that the command reads, by a name without folders; the submitter's tree is never read later. */
  files: v.record(JobLabel, v.string()),
  /** The configuration of the submitter, where the base commit has another one or none. */
  config: v.nullable(v.string()),
});
export type JobSpec = v.InferOutput<typeof JobSpec>;

/** When a job may start. */
export const JobTerms = v.strictObject({
  /** A greater one goes first. */
  priority: v.pipe(v.number(), v.integer(), v.minValue(-PRIORITY_MAX), v.maxValue(PRIORITY_MAX)),
  not_before: v.nullable(Timestamp),
  /** Jobs that must have ended well before. */
  after: v.pipe(v.array(JobId), v.maxLength(64)),
  /** A schedule: each time that is due becomes a job of its own, and several missed ones become one. */
  every: v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
  /** Attempts that may be lost with their workers before the job ends. */
  attempts_max: v.pipe(Positive, v.maxValue(100)),
});
export type JobTerms = v.InferOutput<typeof JobTerms>;

/** What was spent so far, over all attempts. */
export const JobSpent = v.strictObject({
  ticks: Count,
  sessions: Count,
  dollars: Dollars,
  seconds: Count,
  /** Of prompts and answers, where the agents report them. */
  tokens: v.exactOptional(Count),
});
export type JobSpent = v.InferOutput<typeof JobSpent>;

/** How the command of a job ended. */
export const JobResult = v.strictObject({
  /** `done` is the exit status 0 of the command. */
  outcome: v.picklist(["done", "failed", "cancelled"]),
  code: v.nullable(AnyCode),
  exit_status: v.nullable(Count),
  /** The commit that the work started from, where the job follows its branch. */
  base: v.exactOptional(CommitId),
  /** Null where nothing was committed. */
  branch: v.nullable(v.string()),
  commit: v.nullable(CommitId),
  spent: JobSpent,
  /** One line without control characters. */
  summary: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
});
export type JobResult = v.InferOutput<typeof JobResult>;

/** What a member of a shared queue keeps of a job on its own disk, in case that the server loses it. */
export const KnownJob = v.strictObject({
  version: v.literal(1),
  job: JobId,
  spec: JobSpec,
  terms: JobTerms,
  attempt: Count,
  spent: JobSpent,
  /** Null while it has not ended, as far as this member knows. */
  result: v.nullable(JobResult),
});
export type KnownJob = v.InferOutput<typeof KnownJob>;

export const Attachment = v.strictObject({ name: JobLabel, sha256: Sha256, bytes: Count, attempt: Positive });
export type Attachment = v.InferOutput<typeof Attachment>;

interface FetchedRef {
  readonly ref: string;
  readonly commit: string;
  /** `kept`: it is elsewhere here, with other commits or checked out. */
  readonly state: "new" | "same" | "moved" | "kept";
}

export interface FetchedJob {
  readonly kind: "fetched";
  readonly job: string;
  readonly outcome: JobResult["outcome"];
  readonly base: { readonly commit: string; readonly branch: string | null };
  /** Null where nothing was committed. */
  readonly branch: FetchedRef | null;
  readonly salvage: readonly FetchedRef[];
  /** Where the journal and the output are. */
  readonly folder: string;
  readonly files: readonly string[];
}

/** What `handoff.command` gets on its standard input. */

export const Handoff = v.strictObject({
  version: v.literal(1),
  kind: v.picklist(["job_ended", "goal_ended"]),
  at: Timestamp,
  /** The id of the job or of the goal. */
  id: v.string(),
  /** The path or the URL of the repository that the work is meant for. */
  repository: v.string(),
  /** One line about what was asked for. */
  title: v.string(),
  outcome: v.picklist(["done", "failed", "cancelled"]),
  code: v.nullable(AnyCode),
  summary: v.string(),
  /** The commit that the work started from, and the branch that it is meant for. */
  base: v.strictObject({ commit: v.nullable(CommitId), branch: v.nullable(v.string()) }),
  /** Null where nothing was committed. */
  branch: v.nullable(v.string()),
  commit: v.nullable(CommitId),
});
export type Handoff = v.InferOutput<typeof Handoff>;

/** What a worker reports while it runs, for its live view, its log and `--json`. */

interface OfJob {
  /** From 1. */
  readonly slot: number;
  readonly job: string;
}

export type WorkerEvent =
  | ({
      readonly kind: "claimed";
      readonly title: string;
      readonly repository: string;
      readonly attempt: number;
    } & OfJob)
  | ({ readonly kind: "line"; readonly line: JournalLine } & OfJob)
  | ({ readonly kind: "finished"; readonly result: JobResult } & OfJob)
  /** The job waits again. */
  | ({ readonly kind: "released"; readonly why: string } & OfJob)
  /** Another worker has the job. */
  | ({ readonly kind: "fenced" } & OfJob)
  | { readonly kind: "warned"; readonly message: string };

/** What came of all jobs of one worker. */
export interface WorkerSummary {
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly released: number;
  readonly fenced: number;
}
