import type { Claim } from "../queue/pure/engine.ts";
import type { JobResult } from "../queue/pure/job.ts";
import type { Environment } from "../base/environment.ts";
import { readClockMs } from "../system/clock.ts";
import { readProject } from "../workspace/read-project.ts";
import { runHandoff } from "../workspace/run-handoff.ts";

interface EndedJob {
  /** The repository of the job. */
  readonly cwd: string;
  readonly claim: Pick<Claim, "job" | "spec">;
  readonly result: JobResult;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Answers with a warning if the command of the repository's configuration fails. */
export async function handOffJob({ cwd, claim, result, environment, signal }: EndedJob): Promise<string | null> {
  const project = await readProject({ cwd, environment });
  if (project.kind === "blocked") return null;
  const { repository, title, base } = claim.spec;
  const { outcome, code, summary, branch, commit } = result;
  const began = result.base ?? base.commit;
  return runHandoff(
    { config: project.config, cwd, environment, signal },
    {
      version: 1,
      kind: "job_ended",
      at: new Date(readClockMs()).toISOString(),
      id: claim.job,
      repository: repository.kind === "url" ? repository.url : repository.path,
      title,
      outcome,
      code,
      summary,
      base: { commit: began, branch: base.branch },
      branch,
      commit,
    },
  );
}
