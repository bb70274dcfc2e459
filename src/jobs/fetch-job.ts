/** Brings what a job left into a repository: its branch, its salvage, its journal. */
import { join } from "node:path";
import type { FetchedJob } from "../queue/pure/job.ts";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import type { Engine, JobView } from "../queue/pure/engine.ts";
import { MeasurementError } from "../base/errors.ts";
import { writeStream } from "../system/write-stream.ts";
import { makeFolders } from "../system/folders.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";
import { importBundle, type ImportedRef } from "../git/bundle.ts";
import { findCommit } from "../git/find-commit.ts";
import { readHead } from "../git/head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { openStateDirectory } from "../journal/state-directory.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import type { WorkspaceRequest } from "../workspace/workspace.ts";
import { refuseUnusableState } from "../workspace/workspace-refusals.ts";
import { JOB_FILES } from "./collect-job.ts";
import { nameJobBranch } from "./job-workspace.ts";

interface FetchRequest extends WorkspaceRequest {
  readonly engine: Pick<Engine, "readAttachment">;
  readonly view: JobView;
}

export async function fetchJob(request: FetchRequest): Promise<FetchedJob | CommandFailure> {
  const { view, environment } = request;
  const { id: job, result, spec } = view;
  if (result === null || view.phase === "waiting" || view.phase === "running")
    return refuse({
      cause: "job_not_over",
      message: `The job ${job} has not ended: ${view.phase}.`,
      next: `Wait for it: \`relais queue show ${job} --follow\`.`,
    });
  const repository = await locateRepository(request, { needsGit: true });
  if (repository.kind === "blocked") return repository;
  const base = result.base ?? spec.base.commit;
  if ((await findCommit(base, { repository })) === null) return refuseOther(view, { base, root: repository.root });
  const state = openStateDirectory(repository, environment);
  if (state.kind === "unusable") return refuseUnusableState(state);
  const folder = join(state.path, "jobs", job);
  const { branches, salvage } = await importRefs(request, repository);
  return {
    kind: "fetched",
    job,
    outcome: result.outcome,
    base: { commit: base, branch: spec.base.branch },
    branch: branches[0] ?? null,
    salvage,
    folder,
    files: await storeFiles(request, folder),
  };
}

function refuseOther({ id, spec }: JobView, { base, root }: { base: string; root: string }): CommandFailure {
  const place = spec.repository.kind === "url" ? spec.repository.url : spec.repository.path;
  const message = `The job ${id} started from ${base.slice(0, 12)}, which is not in ${root}.`;
  const next = spec.repository.kind === "url" ? `Fetch in a clone of ${place}.` : `Fetch in ${place}.`;
  return refuse({ cause: "other_repository", message, next });
}

async function importRefs(request: FetchRequest, repository: Repository) {
  const job = request.view.id;
  const { text } = await readHead(repository);
  const checkedOut = text.replace(/^ref: /, "");
  return withTemporaryFolder(request.environment, async (folder) => {
    const take = async (name: string, within: string): Promise<readonly ImportedRef[]> => {
      const file = join(folder, name);
      return (await storeFile(request, name, file)) ? importBundle(repository, file, checkedOut, within) : [];
    };
    return {
      branches: await take(JOB_FILES.branch, `refs/heads/${nameJobBranch(job)}`),
      salvage: await take(JOB_FILES.salvage, `refs/relais/salvage/${job}/`),
    };
  });
}

async function storeFiles(request: FetchRequest, folder: string): Promise<readonly string[]> {
  makeFolders(folder, 0o700);
  const stored: string[] = [];
  for (const name of [JOB_FILES.journal, JOB_FILES.transcripts, JOB_FILES.output, JOB_FILES.log, JOB_FILES.result])
    if (await storeFile(request, name, join(folder, name))) stored.push(name);
  return stored;
}

/** The newest one of that name; false where there is none. */
async function storeFile({ engine, view }: FetchRequest, name: string, path: string): Promise<boolean> {
  const newest = view.attachments.findLast((attachment) => attachment.name === name);
  if (newest === undefined) return false;
  const bytes = await engine.readAttachment(view.id, newest.attempt, name);
  if (bytes === null) throw new MeasurementError(`${name} of ${view.id}`, "is not in the queue any more");
  await writeStream(path, bytes);
  return true;
}
