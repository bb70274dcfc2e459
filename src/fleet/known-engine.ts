/** An engine whose jobs are also kept on this machine, as far as it submits or runs them. */
import { join } from "node:path";
import type { Claim, Engine } from "../queue/pure/engine.ts";
import type { JobId, JobResult, JobSpec } from "../queue/pure/job.ts";
import { writeKnownJob } from "../journal/known-jobs.ts";
import { makeRepositoryToken } from "./fleet-file.ts";

/** Jobs of two repositories may have one name. */
export function locateKnown(folder: string, { repository }: Pick<JobSpec, "repository">): string {
  return join(folder, makeRepositoryToken(repository.kind === "url" ? repository.url : repository.path));
}

export function keepKnown(engine: Engine, folder: string): Engine {
  const keep = async (job: JobId, spec: JobSpec, result: JobResult | null): Promise<void> => {
    const view = await engine.find(job);
    if (view === null) return;
    const { terms, attempt, spent } = view;
    await writeKnownJob(locateKnown(folder, spec), { version: 1, job, spec, terms, attempt, spent, result });
  };
  return {
    ...engine,
    submit: async (spec, terms, id) => {
      const job = await engine.submit(spec, terms, id);
      await keep(job, spec, null);
      return job;
    },
    ask: async (job, what) => {
      const answer = await engine.ask(job, what);
      const view = what === "cancel" && answer === "done" ? await engine.find(job) : null;
      const spec = view === null ? null : await engine.readSpec(job);
      if (view !== null && spec !== null) await keep(job, spec, view.result);
      return answer;
    },
    claim: async (worker, want, wait) => {
      const claim = await engine.claim(worker, want, wait);
      if (claim === null) return null;
      await keep(claim.job, claim.spec, null);
      return keepResult(claim, (result) => keep(claim.job, claim.spec, result));
    },
  };
}

/** A worker that is killed before it keeps its result has its branch on the git server. */
function keepResult(claim: Claim, keep: (result: JobResult) => Promise<void>): Claim {
  return {
    ...claim,
    finish: async (result) => {
      const recorded = await claim.finish(result);
      if (recorded !== "fenced") await keep(result);
      return recorded;
    },
  };
}
