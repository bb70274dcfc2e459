/** From what a person typed to a job: everything that could never run is refused here. */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { hasLogin } from "../queue/pure/user-settings.ts";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { CONFIG_NAME } from "../config/config-name.ts";
import type { Choices } from "../config/choices.ts";
import type { Config } from "../config/config.ts";
import type { JobCommand, JobSpec } from "../queue/pure/job.ts";
import { listAskedCaps, listJobCaps } from "../queue/pure/job-arguments.ts";
import { writeLine } from "../queue/pure/job-result.ts";
import { countNoun, shorten } from "../base/words.ts";
import { readFilterSettings } from "../git/filter-settings.ts";
import { findCommit, hasCommitted } from "../git/find-commit.ts";
import { listDirtyPaths } from "../git/git-status.ts";
import { readHead } from "../git/head.ts";
import { findRemoteBase } from "../git/remote-base.ts";
import type { Repository } from "../git/repository-layout.ts";
import { chooseConfig } from "../tick/choose-config.ts";
import type { Misuse } from "../workspace/misuse.ts";
import { locateRepository } from "../workspace/locate-repository.ts";
import type { WorkspaceRequest } from "../workspace/workspace.ts";

export interface JobRequest extends WorkspaceRequest {
  readonly command: JobCommand;
  readonly arguments: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly title: string;
  readonly choices: Choices;
  /** Whether an agent is called that the configuration may have to name. */
  readonly needsAgent: boolean;
  /** The number that the person gave for ticks, turns or iterations. */
  readonly asked: number | null;
  /** A path or a URL; null is the repository around the working directory. */
  readonly repo: string | null;
  readonly base: string | null;
  /** Each job of a schedule starts from the commit that the branch has then. */
  readonly isSchedule: boolean;
  readonly needs: readonly string[];
}

export interface PlannedJob {
  readonly kind: "planned";
  readonly spec: JobSpec;
  /** What a person should know, one sentence each. */
  readonly notes: readonly string[];
}

const URL = /^(?:[a-z][a-z0-9+.-]*:\/\/|[^/\s]+@[^/\s:]+:)/iu;
const TITLE_CHARS = 200;

export async function planJob(request: JobRequest): Promise<PlannedJob | CommandFailure | Misuse> {
  return request.repo !== null && URL.test(request.repo) ? planRemote(request, request.repo) : planLocal(request);
}

async function planRemote(request: JobRequest, url: string): Promise<PlannedJob | CommandFailure> {
  const { base: ref } = request;
  if (hasLogin(url))
    return refuse({
      cause: "login_in_address",
      message: "The address of the repository has a login in it, and a job never holds a secret.",
      next: "Name it without one; git takes the login from its credential helper, or from ssh.",
    });
  const found = await findRemoteBase({ ...request, url, ref });
  if (found.kind === "unreachable")
    return refuse({
      cause: "repository_unreachable",
      message: `The repository ${url} cannot be reached: ${found.reason}`,
      next: "Check the address and your login: nobody is asked for a password.",
    });
  if (found.kind === "missing") return refuseBase(ref ?? "HEAD", url);
  const { commit, branch } = found;
  const known = {
    repository: { kind: "url", url },
    base: { commit, branch },
    caps: listAskedCaps(request.command, request.asked),
    config: null,
  } as const;
  return { kind: "planned", spec: makeSpec(request, { ...known, place: url }), notes: [] };
}

async function planLocal(request: JobRequest): Promise<PlannedJob | CommandFailure | Misuse> {
  const { environment, signal, choices, needsAgent } = request;
  const cwd = request.repo === null ? request.cwd : resolve(request.cwd, request.repo);
  const repository = await locateRepository({ cwd, environment }, { needsGit: true });
  if (repository.kind === "blocked")
    return request.repo === null ? repository : { ...repository, remedy: "Name a repository with --repo." };
  const base = await findBase(repository, request.base);
  if (base === null) return refuseBase(request.base ?? "HEAD", repository.root);
  const chosen = { choices, foundText: null };
  const complete = await chooseConfig({ cwd: repository.root, environment, chosen, needsAgent });
  if (complete.kind !== "complete") return complete;
  const { config, fileText } = complete.project;
  const travels = fileText !== null && !(await hasCommitted(repository, base.commit, CONFIG_NAME));
  const known = {
    repository: { kind: "path", path: repository.root },
    base,
    caps: listJobCaps(request.command, config, request.asked),
    config: travels ? fileText : null,
    place: repository.commonDir,
    ...(request.needsAgent ? { agent: nameBuilder(config) } : {}),
  } as const;
  const spec = makeSpec(
    { ...request, arguments: [...nameAgent(complete.chosen.choices, choices), ...request.arguments] },
    known,
  );
  return { kind: "planned", spec, notes: await listNotes(repository, { travels, signal }) };
}

/** A limit of its service holds the job back. */
function nameBuilder({ roles, builder }: Config): string {
  return roles.builder.driver ?? builder.default_mode;
}

/** The only agent that is ready now; another one may be installed until the job starts. */
function nameAgent({ agent }: Choices, asked: Choices): readonly string[] {
  return agent === undefined || asked.agent !== undefined ? [] : [`--agent=${agent.replace(/_code$/, "")}`];
}

function refuseBase(ref: string, where: string): CommandFailure {
  const message = `There is no commit "${ref}" in ${where}.`;
  return refuse({ cause: "no_base", message, next: "Name an existing branch or commit with --base." });
}

async function findBase(repository: Repository, ref: string | null): Promise<JobSpec["base"] | null> {
  if (ref === null) {
    const { text, commit } = await readHead(repository);
    return commit === null ? null : { commit, branch: /^ref: refs\/heads\/(.+)$/s.exec(text)?.[1] ?? null };
  }
  const commit = await findCommit(ref, { repository });
  if (commit === null) return null;
  const isBranch = (await findCommit(`refs/heads/${ref}`, { repository })) === commit;
  return { commit, branch: isBranch ? ref : null };
}

/** Uncommitted work is no mistake: it stays where it is. */
async function listNotes(
  repository: Repository,
  { travels, signal }: { readonly travels: boolean; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const settings = await readFilterSettings(repository, signal);
  const dirty = await listDirtyPaths({ repository, settings, signal });
  const left = dirty.filter((path) => !(travels && path === CONFIG_NAME)).length;
  return [
    ...(travels ? [`${CONFIG_NAME} is not committed; the job gets a copy.`] : []),
    ...(left === 0 ? [] : [`Uncommitted changes (${countNoun(left, "path")}) are not part of the job.`]),
  ];
}

const KEY_CHARS = 300;

function nameKey(place: string, { branch, commit }: JobSpec["base"]): string {
  const key = `${place}#${branch ?? commit}`;
  return key.length <= KEY_CHARS ? key : createHash("sha256").update(key).digest("hex");
}

interface KnownSources extends Pick<JobSpec, "repository" | "base" | "caps" | "config" | "agent"> {
  /** Names the repository in the key. */
  readonly place: string;
}

function makeSpec(request: JobRequest, { place, ...known }: KnownSources): JobSpec {
  const { command, files, title, needs } = request;
  const { base } = known;
  return {
    version: 1,
    command,
    arguments: [...request.arguments],
    files: { ...files },
    needs: [...needs],
    key: nameKey(place, known.base),
    title: shorten(writeLine(title), TITLE_CHARS),
    ...known,
    base: request.isSchedule && base.branch !== null ? { ...base, follows: true } : base,
  };
}
