/** What a worker reports while it runs, for its live view, its log and `--json`. */
import type { JournalLine } from "../../records/event.ts";
import type { JobResult } from "./job.ts";

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
