/**
 * Which paths are not as HEAD has them, as the user's own `git status` would list them.
 *
 * Good enough to ask a person to tidy up before a tick; changes of a builder are never asked of git. Filters are
 * programs, so git looks without them first: a file with the times of the index is not read at all, and a fresh
 * checkout is clean without any filter. The filters run only if every dirty file has one.
 */
import type { FilterSettings } from "./filter-settings.ts";
import { listSettings, withoutFilters } from "./filter-view.ts";
import { accessRepository, type GitAnswer, type GitRequest, runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

const STATUS_BYTES_MAX = 256 * 1024 * 1024;
const STATUS = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames"];
/** Changed in the worktree only. */
const UNSTAGED = " M ";

export interface GitStatusRequest {
  readonly repository: Repository;
  readonly settings: FilterSettings;
  /** How long git and the filters may take where no tick bounds them. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function listDirtyPaths(request: GitStatusRequest): Promise<readonly string[]> {
  const { env } = request.settings;
  const filters = listSettings(env).flatMap(
    ({ key }) => /^filter\.(?<name>.+)\.[a-z]+$/s.exec(key)?.groups?.["name"] ?? [],
  );
  const dirty = await listStatus(request, withoutFilters(env, filters));
  if (dirty.length === 0 || filters.length === 0) return dirty.map(renderPath);
  const filtered = await listFilteredPaths(request, dirty.filter((record) => record.startsWith(UNSTAGED)).map(cutPath));
  const certain = dirty.filter((record) => !filtered.has(cutPath(record)));
  return (certain.length > 0 ? certain : await listStatus(request, env)).map(renderPath);
}

/** The records of git's answer as byte strings: two letters, a space and the path. */
async function listStatus(request: GitStatusRequest, env: FilterSettings["env"]): Promise<readonly string[]> {
  return parseStatus((await ask(request, { args: STATUS, env })).stdout);
}

export function parseStatus(stdout: Buffer): readonly string[] {
  return stdout
    .toString("latin1")
    .split("\0")
    .filter((record) => record.length > UNSTAGED.length);
}

const cutPath = (record: string): string => record.slice(UNSTAGED.length);
const renderPath = (record: string): string => Buffer.from(cutPath(record), "latin1").toString("utf8");

async function listFilteredPaths(request: GitStatusRequest, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const { stdout } = await ask(request, {
    args: ["check-attr", "-z", "--stdin", "filter"],
    env: request.settings.env,
    input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
  });
  return parseFiltered(stdout, paths);
}

/** For each path that was asked for, in the same order: the path, the name of the attribute and its value. */
export function parseFiltered(stdout: Buffer, paths: readonly string[]): ReadonlySet<string> {
  const fields = stdout.toString("latin1").split("\0");
  return new Set(paths.filter((_, at) => !["unspecified", "unset"].includes(fields[3 * at + 2] ?? "unset")));
}

function ask(
  { repository, signal, timeoutMs }: GitStatusRequest,
  question: Pick<GitRequest, "args" | "env" | "input">,
): Promise<GitAnswer> {
  return runGit({
    ...accessRepository(repository, signal),
    ...question,
    workTree: repository.root,
    outputBytesMax: STATUS_BYTES_MAX,
    timeoutMs,
  });
}
