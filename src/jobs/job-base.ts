/** The commit that the work of a job starts from. */
import type { JobSpec } from "../queue/pure/job.ts";
import type { Caller } from "../base/environment.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { makeFolders } from "../system/make-folders.ts";
import { findCommit } from "../git/find-commit.ts";
import { findRemoteBase } from "../git/remote-base.ts";
import { hasRepository } from "../journal/job-folder.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import { readJobNote } from "./job-note.ts";
import type { JobPlace } from "./job-workspace.ts";

/**
 * The job with the newest commit of the branch that it follows, or with the one that an attempt before has begun from.
 * Throws where the branch is gone.
 */
export async function settleJobBase(spec: JobSpec, place: JobPlace, signal: AbortSignal): Promise<JobSpec> {
  const { base, repository } = spec;
  if (base.follows === undefined || base.branch === null) return spec;
  const begun = hasRepository(place) ? readJobNote(place)?.base : undefined;
  const { environment } = place;
  const commit = begun ?? (await findTip(repository, base.branch, { cwd: place.folder, environment, signal }));
  if (commit !== null) return { ...spec, base: { ...base, commit } };
  throw new MeasurementError(
    `the branch ${base.branch}`,
    `is not in ${repository.kind === "url" ? repository.url : repository.path} any more`,
  );
}

async function findTip(
  repository: JobSpec["repository"],
  branch: string,
  caller: Caller & { readonly signal: AbortSignal },
): Promise<string | null> {
  if (repository.kind === "url") {
    makeFolders(caller.cwd, 0o700);
    const found = await findRemoteBase({ ...caller, url: repository.url, ref: branch });
    if (found.kind === "unreachable") throw new MeasurementError(repository.url, `cannot be reached: ${found.reason}`);
    return found.kind === "found" && found.branch === branch ? found.commit : null;
  }
  const source = await locateRepository({ ...caller, cwd: repository.path }, { needsGit: false });
  if (source.kind === "blocked") throw new MeasurementError(repository.path, source.message);
  return findCommit(`refs/heads/${branch}`, { repository: source, signal: caller.signal });
}
