/** The one kind of job of all schedules. */
import type { JobResult, JobSpec, JobTerms } from "../../../../src/queue/pure/job.ts";
import { jobResult, jobSpec, jobTerms } from "../../../../test/queue/jobs.ts";

export const LEASE_MS = 6000;
export const SPENT = { ticks: 1, sessions: 0, dollars: 0, seconds: 0 };

export const JOB: JobSpec = jobSpec({ files: {} });
export const TERMS: JobTerms = jobTerms({ attempts_max: 20 });
export const RESULT: JobResult = jobResult({ spent: SPENT });

export const NAMES = {
  log: "log",
  logSubject: "log",
  events: "e",
  eventSubjects: "e.>",
  beats: "b",
  objects: "o",
  snapshots: "s",
};
