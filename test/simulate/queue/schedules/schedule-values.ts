/** The one kind of job of all schedules. */
import type { JobResult, JobSpec, JobTerms } from "../../../../src/contract/queue/job.ts";

export const LEASE_MS = 6000;
export const SPENT = { ticks: 1, sessions: 0, dollars: 0, seconds: 0 };

export const JOB: JobSpec = {
  version: 1,
  command: "run",
  arguments: ["say hello"],
  files: {},
  repository: { kind: "path", path: "/repository" },
  base: { commit: "a".repeat(40), branch: "main" },
  key: "repository#main",
  needs: [],
  config: null,
  caps: { ticks: 1, sessions: null, seconds: null, dollars: null },
  title: "say hello",
};

export const TERMS: JobTerms = { priority: 0, not_before: null, after: [], every: null, attempts_max: 20 };

export const RESULT: JobResult = {
  outcome: "done",
  code: null,
  exit_status: 0,
  branch: null,
  commit: null,
  spent: SPENT,
  summary: "done",
};

export const NAMES = {
  log: "log",
  logSubject: "log",
  events: "e",
  eventSubjects: "e.>",
  beats: "b",
  objects: "o",
  snapshots: "s",
};
