/** Jobs for tests of a queue; nobody runs them. */
import type { JobResult, JobSpec, JobSpent, JobTerms } from "../../src/queue/pure/job.ts";

export const NOTHING: JobSpent = { ticks: 0, sessions: 0, dollars: 0, seconds: 0 };

export function jobSpec(changes: Partial<JobSpec> = {}): JobSpec {
  return {
    version: 1,
    command: "run",
    arguments: ["say hello"],
    files: { "task.json": "{}" },
    repository: { kind: "path", path: "/repository" },
    base: { commit: "a".repeat(40), branch: "main" },
    key: "repository#main",
    needs: [],
    config: null,
    caps: { ticks: 1, sessions: null, seconds: null, dollars: null },
    title: "say hello",
    ...changes,
  };
}

export function jobTerms(changes: Partial<JobTerms> = {}): JobTerms {
  return { priority: 0, not_before: null, after: [], every: null, attempts_max: 3, ...changes };
}

export function jobResult(changes: Partial<JobResult> = {}): JobResult {
  return {
    outcome: "done",
    code: null,
    exit_status: 0,
    branch: null,
    commit: null,
    spent: NOTHING,
    summary: "done",
    ...changes,
  };
}
