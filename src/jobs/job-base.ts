import * as v from "valibot";
import { JobSpent, type JobSpec } from "../queue/pure/job.ts";
import { CommitId } from "../base/identifier.ts";
import { parseWith } from "../base/schema-error.ts";
import { readNoteText, hasRepository } from "../journal/job-folder.ts";
import type { JobPlace } from "./job-workspace.ts";
import type { Caller } from "../base/environment.ts";
import { MeasurementError } from "../base/errors.ts";
import { makeFolders } from "../system/folders.ts";
import { findCommit } from "../git/find-commit.ts";
import { findRemoteBase } from "../git/remote-base.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import type { Engine } from "../queue/pure/engine.ts";
import type { Config } from "../config/config.ts";
import { splitArguments, COUNT_OPTIONS, listJobCaps } from "../queue/pure/job-arguments.ts";
import { readProject } from "../workspace/read-project.ts";

/** What is noted beside the repository of a job about the moment when it was made. */

const JobNote = v.strictObject({
  /** By the attempts before: a job that a person tries again begins with an empty journal. */
  spent: JobSpent,
  /** The commit that the work started from. */
  base: CommitId,
});
export type JobNote = v.InferOutput<typeof JobNote>;

/** Null where a kill cut the note short. */
export function readJobNote(place: JobPlace): JobNote | null {
  try {
    const parsed = parseWith(JobNote, JSON.parse(readNoteText(place)));
    return parsed.kind === "valid" ? parsed.value : null;
  } catch {
    return null;
  }
}

/** The commit that the work of a job starts from. */

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

/** What the configuration at the base commit says about a job before it starts. */

/** A sentence where a job of others asks for more than the configuration of its repository allows. */
export async function findRaisedCap({ repo, environment }: JobPlace, spec: JobSpec): Promise<string | null> {
  const { options } = splitArguments(spec.arguments);
  const asked = options.find((option) => COUNT_OPTIONS.some((name) => option.startsWith(`--${name}=`)));
  const project = asked === undefined ? null : await readProject({ cwd: repo, environment });
  // What is wrong with the configuration, the command says itself.
  if (asked === undefined || project === null || project.kind === "blocked") return null;
  const count = Number(asked.slice(asked.indexOf("=") + 1));
  const [wanted, configured] = [count, null].map((number) => listJobCaps(spec.command, project.config, number).ticks);
  return (wanted ?? 0) > (configured ?? 0) ? `${asked} is more than the repository's configuration allows.` : null;
}

/** The limit that ends first, where none of the agents of the job may be called; null otherwise. */
export async function findPlaceLimit(
  { repo, environment }: JobPlace,
  spec: JobSpec,
  { limits }: Pick<Engine, "limits">,
): Promise<AgentLimit | null> {
  const known = await limits.list();
  if (known.length === 0) return null;
  const project = await readProject({ cwd: repo, environment });
  const agents = project.kind === "blocked" ? [] : listBuilders(project.config);
  const [first, ...fallbacks] = agents;
  const wanted = [spec.agent ?? first, ...fallbacks];
  const found = wanted.map((name) => known.find(({ agent }) => agent === name));
  // The command itself takes its next agent.
  if (found.includes(undefined)) return null;
  return found.reduce((one, other) => ((one?.until ?? "") <= (other?.until ?? "") ? one : other)) ?? null;
}

interface AgentLimit {
  readonly agent: string;
  readonly until: string;
}

function listBuilders({ roles, builder }: Config): readonly string[] {
  const { driver, fallbacks = [] } = roles.builder;
  return [driver ?? builder.default_mode, ...fallbacks.map((one) => one.driver ?? builder.default_mode)];
}
