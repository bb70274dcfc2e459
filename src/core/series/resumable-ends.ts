import type { SeriesEnd } from "../../contract/values/codes.ts";

/** The ends after which `resume` or another run continues a series: every end but `complete` and those of a loop. */
export const RESUMABLE_ENDS: readonly SeriesEnd[] = [
  "interrupted",
  "needs_human",
  "blocked",
  "stopped",
  "timeout",
  "budget_warning",
];
