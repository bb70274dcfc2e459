import type { OptionSpecs } from "../terminal/option-spec.ts";

/** The options of every job. They come before those of the command itself. */
export const jobOptions = {
  repo: { type: "text", value: "PATH|URL", help: "Where to work [the repository here]" },
  base: { type: "text", value: "REF", help: "The branch or commit to start from [HEAD]" },
  priority: { type: "text", value: "N", help: "-9 to 9; a greater one goes first [0]" },
  at: { type: "text", value: "TIME", help: "Not before: 18:30, 2h, or 2026-12-24T08:00" },
  every: { type: "text", value: "CRON", help: "Again and again, by a cron line such as '0 3 * * *'" },
  after: { type: "list", value: "JOB", help: "Not before this job is done" },
  needs: { type: "list", value: "LABEL", help: "Only a worker with this label (relais worker --labels)" },
} as const satisfies OptionSpecs;

export type JobOptions = typeof jobOptions;
