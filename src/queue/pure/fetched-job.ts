import type { JobResult } from "./job.ts";

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
