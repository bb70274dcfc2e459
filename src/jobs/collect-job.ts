/** What a job leaves: its branch, its journal, its output and its salvage, as attachments of its attempt. */
import { basename, dirname, join } from "node:path";
import type { Claim, Fenced } from "../queue/pure/engine.ts";
import type { JobResult, JobSpec } from "../queue/pure/job.ts";
import type { JournalLine } from "../records/event.ts";
import { findBase } from "../tick/pure/tick-facts.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { listNames } from "../system/list-folders.ts";
import { isFile } from "../system/read-files.ts";
import { createBundle, streamFile } from "../git/bundle.ts";
import { moveRef } from "../git/move-ref.ts";
import { commitSavedWork } from "../git/patch-commit.ts";
import { pushBranch } from "../git/push-branch.ts";
import { readHead } from "../git/head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { listLoggedRuns } from "../history/tick-log.ts";
import { HELD_OUT_LOG } from "../workspace/held-out-lines.ts";
import { listSalvage, showSalvage } from "../keep/salvage.ts";
import { type JobPlace, locateJobState, nameJobBranch, openJobRepository } from "./job-workspace.ts";

/** The names of the attachments. */
export const JOB_FILES = {
  branch: "branch.bundle",
  salvage: "salvage.bundle",
  journal: "journal.jsonl",
  output: "output.jsonl",
  transcripts: "transcripts.txt",
  log: "log.txt",
  result: "result.json",
} as const;

/** The newest ones; a job that was reverted more often has the rest in its journal. */
const SALVAGE_MAX = 20;

interface FinishedWork {
  readonly place: JobPlace;
  readonly spec: JobSpec;
  readonly claim: Pick<Claim, "attach" | "job" | "attempt">;
  readonly lines: readonly JournalLine[];
  /** Files of the last command. */
  readonly outputs: { readonly out: string; readonly log: string };
  readonly signal: AbortSignal;
}

type Collected = Pick<JobResult, "branch" | "commit"> & {
  /** What did not work, one sentence each. */
  readonly problems: readonly string[];
};

export async function collectJob(work: FinishedWork): Promise<Collected | Fenced> {
  const { place, spec, claim, outputs } = work;
  const repository = await openJobRepository(place);
  const { commit } = await readHead(repository);
  const isNew = commit !== null && commit !== spec.base.commit;
  const branch = nameJobBranch(place.job);
  const bundle = isNew ? await bundleBranch(repository, { branch, commit, base: spec.base.commit, place }) : null;
  const files = [
    [JOB_FILES.branch, bundle],
    [JOB_FILES.salvage, await bundleSalvage(work, repository)],
    [JOB_FILES.journal, join(await locateJobState(place), "journal.jsonl")],
    [JOB_FILES.output, outputs.out],
    [JOB_FILES.log, outputs.log],
  ] as const;
  for (const [name, path] of files)
    if (path !== null && isFile(path) && (await claim.attach(name, streamFile(path))) === "fenced") return "fenced";
  const logs = await listTranscripts(work);
  if (logs.length > 0 && (await claim.attach(JOB_FILES.transcripts, streamTranscripts(logs))) === "fenced")
    return "fenced";
  if (!isNew) return { branch: null, commit: null, problems: [] };
  return { branch, commit, problems: await push(work, repository, commit) };
}

/** What the sessions and checks of all ticks wrote, in order: the place of a job is removed when it has ended. */
async function listTranscripts({ place, lines }: FinishedWork): Promise<readonly string[]> {
  const state = await locateJobState(place);
  return listLoggedRuns(lines)
    .toReversed()
    .flatMap((runId) => {
      const folder = locateRunDirectory(state, runId);
      return listNames(folder)
        .filter((name) => name.endsWith(".log") && name !== HELD_OUT_LOG)
        .map((name) => join(folder, name));
    });
}

/** It can be read several times. */
function streamTranscripts(paths: readonly string[]): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      for (const path of paths) {
        yield Buffer.from(`=== ${basename(dirname(path))} ${basename(path, ".log")}\n`);
        yield* streamFile(path);
        yield Buffer.from("\n");
      }
    },
  };
}

interface BundledBranch {
  readonly branch: string;
  readonly commit: string;
  readonly base: string;
  readonly place: JobPlace;
}

/** A series may have made a branch of its own, on top of the one of the job. */
async function bundleBranch(repository: Repository, { branch, commit, base, place }: BundledBranch): Promise<string> {
  const ref = `refs/heads/${branch}`;
  await moveRef(repository, { ref, to: commit, reason: "relais: a job" });
  const file = join(place.folder, JOB_FILES.branch);
  await createBundle(repository, base, [ref], file);
  return file;
}

/** Each reverted change as a commit on the commit that it was made on. */
async function bundleSalvage({ place, lines, claim, spec }: FinishedWork, repository: Repository) {
  const kept = { stateDirectory: await locateJobState(place), lines };
  const refs: string[] = [];
  for (const { runId } of (await listSalvage(kept)).slice(0, SALVAGE_MAX)) {
    const shown = await showSalvage(kept, runId);
    const record = findTickRecord(lines, runId);
    const base = record === null ? null : findBase(record.state)?.base_commit;
    if (shown.kind !== "found" || shown.patch === null || typeof base !== "string") continue;
    const ref = `refs/relais/salvage/${claim.job}/${runId}`;
    const message = `salvage of ${claim.job}: ${shown.work.code}\n\nRelais-Run: ${runId}`;
    if (await commitSavedWork(repository, { base, patch: shown.patch, ref, message })) refs.push(ref);
  }
  if (refs.length === 0) return null;
  const file = join(place.folder, JOB_FILES.salvage);
  await createBundle(repository, spec.base.commit, refs, file);
  return file;
}

async function push({ spec, place, signal }: FinishedWork, repository: Repository, commit: string) {
  if (spec.repository.kind !== "url") return [];
  const branch = nameJobBranch(place.job);
  const refused = await pushBranch(repository, { url: spec.repository.url, branch, commit, signal });
  return refused === null ? [] : [`The branch was not pushed: ${refused}`];
}
