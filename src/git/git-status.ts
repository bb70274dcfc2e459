import type { FilterSettings } from "./filter-settings.ts";
import { listSettings, withoutFilters } from "./filter-view.ts";
import { accessRepository, type GitAnswer, type GitRequest, runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";
import { existsSync, accessSync, constants, lstatSync } from "node:fs";
import { join } from "node:path";
import { readErrorCode } from "../system/read-files.ts";
import { listNames } from "../system/list-folders.ts";

/**
 * Which paths are not as HEAD has them, as the user's own `git status` would list them.
 *
 * Good enough to ask a person to tidy up before a tick; changes of a builder are never asked of git. Filters are
 * programs, so git looks without them first: a file with the times of the index is not read at all, and a fresh
 * checkout is clean without any filter. The filters run only if every dirty file has one.
 */

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

/** Some of them are enough to ask a person, so that filters need not run. */
export async function listDirtyPaths(request: GitStatusRequest): Promise<readonly string[]> {
  const { certain, doubted } = await listUnfiltered(request);
  const dirty = doubted && certain.length === 0 ? await listStatus(request, request.settings.env) : certain;
  return dirty.map((record) => Buffer.from(cutPath(record), "latin1").toString("utf8"));
}

/** All of them, as byte strings. A repository inside ends with a slash: git does not look into it. */
export async function listDirtyNames(request: GitStatusRequest): Promise<readonly string[]> {
  const { certain, doubted } = await listUnfiltered(request);
  return (doubted ? await listStatus(request, request.settings.env) : certain).map(cutPath);
}

/** What is dirty whatever the filters say, and whether they may say that more is. */
async function listUnfiltered(request: GitStatusRequest) {
  const { env } = request.settings;
  const filters = listSettings(env).flatMap(
    ({ key }) => /^filter\.(?<name>.+)\.[a-z]+$/s.exec(key)?.groups?.["name"] ?? [],
  );
  const dirty = await listStatus(request, withoutFilters(env, filters));
  if (dirty.length === 0 || filters.length === 0) return { certain: dirty, doubted: false };
  const filtered = await listFilteredPaths(request, dirty.filter((record) => record.startsWith(UNSTAGED)).map(cutPath));
  return { certain: dirty.filter((record) => !filtered.has(cutPath(record))), doubted: filtered.size > 0 };
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

/** What the person's own git has started in the repository and not finished: an operation, or a lock file. */

export type GitOperation = "merge" | "rebase" | "cherry-pick" | "revert" | "bisect";

/** A rebase comes first: it also leaves the marks of the commits that it picks. */
const MARKS: readonly (readonly [string, GitOperation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
];

export function findGitOperation({ gitDir }: Pick<Repository, "gitDir">): GitOperation | null {
  return MARKS.find(([name]) => existsSync(join(gitDir, name)))?.[1] ?? null;
}

/** Lock files that keep git from writing its index, its configuration or the branch in `head`, the text of HEAD. */
export function listGitLockFiles(
  { gitDir, commonDir }: Pick<Repository, "gitDir" | "commonDir">,
  head: string,
): readonly string[] {
  const ref = /^ref: (?<ref>refs\/.+)$/s.exec(head.trim())?.groups?.["ref"];
  const places = [
    join(gitDir, "index.lock"),
    join(gitDir, "HEAD.lock"),
    join(commonDir, "config.lock"),
    join(commonDir, "packed-refs.lock"),
    ...(ref === undefined ? [] : [join(commonDir, `${ref}.lock`)]),
  ];
  return places.filter((place) => existsSync(place));
}

/**
 * Paths that git and relais have to write in a repository and this user cannot.
 *
 * After one command as root, folders among the objects belong to root, and the next commit of the person fails.
 */

const OBJECT_FOLDER = /^[0-9a-f]{2}$/;

/** Existing folders and files that this user cannot write; `more` are paths of relais itself. */
export function listUnwritablePlaces(
  { root, gitDir, commonDir }: Pick<Repository, "root" | "gitDir" | "commonDir">,
  more: readonly string[],
): readonly string[] {
  const objects = join(commonDir, "objects");
  const places = [
    root,
    gitDir,
    join(gitDir, "index"),
    join(gitDir, "HEAD"),
    objects,
    ...listNames(objects)
      .filter((name) => OBJECT_FOLDER.test(name))
      .map((name) => join(objects, name)),
    join(commonDir, "refs/heads"),
    ...more,
    ...more.flatMap((folder) => listNames(folder).map((name) => join(folder, name))),
  ];
  return [...new Set(places)].filter((place) => !isWritable(place));
}

/** A folder takes new entries; a file is replaced, so nobody has to write into it, but it has to be read. */
function isWritable(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined || entry.isSymbolicLink()) return true;
  try {
    accessSync(path, entry.isDirectory() ? constants.W_OK | constants.X_OK : constants.R_OK);
    return true;
  } catch (error) {
    if (["EACCES", "EROFS", "EPERM"].includes(readErrorCode(error) ?? "")) return false;
    throw error;
  }
}
