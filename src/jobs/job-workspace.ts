/**
 * The place that one job, or one attempt beside others, works in: a repository of its own with a state directory of its
 * own. Nothing of the person's tree, index, branches and journal is touched.
 */
import { createHash } from "node:crypto";
import { CONFIG_NAME } from "../config/config-name.ts";
import type { SessionProcess } from "../records/session-process.ts";
import type { JobSpec } from "../queue/pure/job.ts";
import { type Environment, JOB_VARIABLE } from "../base/environment.ts";
import { MeasurementError } from "../base/errors.ts";
import { type CloneTarget, makeFullClone, makeSharedClone } from "../git/clone-git-data.ts";
import { withGitBounds } from "../git/git-environment.ts";
import { nameMarkerVariable } from "../system/child-environment.ts";
import { killChild } from "../process/end-child.ts";
import { hasRepository, type JobFolder, locateJobFolder, makeJobFolder } from "../journal/job-folder.ts";
import { findStateDirectory, locateStateRoot } from "../journal/state-directory.ts";
import { locateRepository } from "../workspace/locate-repository.ts";

export interface JobPlace extends JobFolder {
  readonly job: string;
  /** Carried by every process that works here. */
  readonly marker: string;
  /** Of the relais that works here. */
  readonly environment: Environment;
}

export function locateJobPlace(folder: string, job: string, environment: Environment): JobPlace {
  const place = locateJobFolder(folder);
  const marker = nameMarker(folder);
  return {
    ...place,
    job,
    marker,
    environment: {
      ...environment,
      ...nameMarkerVariable(environment, [marker]),
      XDG_STATE_HOME: place.state,
      [JOB_VARIABLE]: job,
      // Agents in the sandbox must not read what the person's own relais keeps.
      RELAIS_OUTER_STATE: locateStateRoot(environment),
    },
  };
}

/** Processes are found by a part of their environment, so no marker may be the beginning of another one. */
function nameMarker(folder: string): string {
  return `job-${createHash("sha256").update(folder).digest("hex").slice(0, 24)}`;
}

export const nameJobBranch = (job: string): string => `relais/${job}`;

type JobSources = Pick<JobSpec, "repository" | "base" | "config" | "files">;

interface Preparation {
  /** Unique for each attempt. */
  readonly token: string;
  /** Kept beside the repository when it is made. */
  readonly note?: string;
  /** The base must be part of one of these branches of a URL; empty is the one that its HEAD names. */
  readonly branches?: readonly string[] | null;
  readonly signal: AbortSignal;
}

/** `resumed`: an attempt before left its work here. Throws where the repository cannot be made. */
export async function prepareJobPlace(
  place: JobPlace,
  sources: JobSources,
  { token, note = "", branches = null, signal }: Preparation,
): Promise<"new" | "resumed"> {
  if (hasRepository(place)) return "resumed";
  const make = (folder: string): Promise<void> => {
    const { environment } = place;
    const { commit } = sources.base;
    const target = { folder, branch: nameJobBranch(place.job), commit, within: branches, environment, signal };
    return withGitBounds({ marker: place.marker, signal }, () => makeClone(sources, target));
  };
  const ignored = sources.config === null ? {} : { [CONFIG_NAME]: sources.config };
  await makeJobFolder(place, { token, make, note, ignored, files: sources.files });
  return "new";
}

async function makeClone({ repository }: JobSources, target: CloneTarget): Promise<void> {
  if (repository.kind === "url") return makeFullClone(repository.url, target);
  const source = await locateRepository({ cwd: repository.path, environment: target.environment }, { needsGit: false });
  if (source.kind === "blocked") throw new MeasurementError(repository.path, source.message);
  return makeSharedClone(source, target);
}

/** Ends every process that still works here, and proves it. */
export async function clearJobPlace(place: JobPlace, before: SessionProcess | null): Promise<void> {
  const left = await killChild(before, place.marker);
  if (left.length > 0) throw new MeasurementError(`the process ${left.join(", ")} of ${place.job}`, "cannot be ended");
}

/** The state directory of the relais that works here. */
export async function locateJobState(place: JobPlace): Promise<string> {
  const repository = await openJobRepository(place);
  return findStateDirectory(repository, place.environment).path;
}

export async function openJobRepository({ repo, environment }: JobPlace) {
  const repository = await locateRepository({ cwd: repo, environment }, { needsGit: false });
  if (repository.kind === "blocked") throw new MeasurementError(repo, repository.message);
  return repository;
}
