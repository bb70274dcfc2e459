/**
 * Brings the jobs back that this machine knows, after the server has lost its data. What has ended is known by the files
 * of this machine or by its branch on the git server; nothing of that runs again.
 */
import { join } from "node:path";
import type { Engine } from "../queue/pure/engine.ts";
import type { JobResult, KnownJob } from "../queue/pure/job.ts";
import type { Caller } from "../base/environment.ts";
import { findRemoteBase } from "../git/remote-base.ts";
import { listNames } from "../system/list-folders.ts";
import { readKnownJobs } from "../journal/known-jobs.ts";

export interface RebuiltQueue {
  readonly jobs: readonly RebuiltJob[];
}

export interface RebuiltJob {
  readonly job: string;
  readonly answer: "restored" | "known" | "unreachable";
  /** As it was restored. */
  readonly phase: "waiting" | "done" | "failed" | "cancelled";
}

export interface Rebuilding extends Caller {
  readonly signal: AbortSignal;
  readonly engine: Pick<Engine, "restore" | "hold">;
  /** Of all that this machine knows. */
  readonly folder: string;
}

/** The queue is paused first: a worker that knows an end may not have told it yet. */
export async function rebuildQueue({ engine, folder, ...caller }: Rebuilding): Promise<RebuiltQueue> {
  await engine.hold(true);
  const jobs: RebuiltJob[] = [];
  for (const name of listNames(folder))
    for (const known of await readKnownJobs(join(folder, name))) jobs.push(await bringBack(known, engine, caller));
  return { jobs };
}

async function bringBack(
  known: KnownJob,
  engine: Pick<Engine, "restore">,
  caller: Caller & { readonly signal: AbortSignal },
): Promise<RebuiltJob> {
  const found = known.result === null && known.terms.every === null ? await findBranch(known, caller) : known.result;
  const phase = found === null || found === "unreachable" ? "waiting" : found.outcome;
  const { job } = known;
  // Without a look at the git server it could run twice.
  if (found === "unreachable") return { job, phase, answer: "unreachable" };
  return { job, phase, answer: await engine.restore({ ...known, result: found }) };
}

/** The branch is pushed before the end is recorded. */
async function findBranch(
  { job, spec, spent }: KnownJob,
  caller: Caller & { readonly signal: AbortSignal },
): Promise<JobResult | "unreachable" | null> {
  if (spec.repository.kind !== "url") return null;
  const branch = `relais/${job}`;
  const found = await findRemoteBase({ ...caller, url: spec.repository.url, ref: branch });
  if (found.kind === "unreachable") return "unreachable";
  if (found.kind !== "found" || found.branch !== branch) return null;
  const summary = "The server lost its end; its branch is on the git server.";
  const { commit } = found;
  return { outcome: "done", code: null, exit_status: null, branch, commit, spent, summary };
}
