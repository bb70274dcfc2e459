/**
 * Fills the index of a private repository from the user's, without believing anything in it.
 *
 * Only its list of paths counts. Recorded file times and the flags that keep git from looking (assume-unchanged,
 * skip-worktree) are dropped, so every file is read. The one exception is a sparse checkout, where a flagged and
 * missing path is absent on purpose.
 */
import { lstatSync } from "node:fs";
import { copyFile, readdir, realpath, stat, utimes } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MeasurementError, describeError } from "../base/errors.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import { readErrorCode } from "../system/read-files.ts";
import type { IndexEntry } from "./git-index.ts";
import { readIndex } from "./read-index.ts";
import type { FilterSettings } from "../git/filter-settings.ts";
import { accessRepository, type GitAccess, runGit } from "../git/git.ts";
import type { PrivateRepository } from "../git/private-repository.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { GitSide } from "../git/git-difference.ts";

const LIST_BYTES_MAX = 1024 * 1024 * 1024;

interface IndexFilling {
  readonly repository: Repository;
  readonly privateRepository: PrivateRepository;
  /** What can be read without them is read while git answers. */
  readonly settings: Promise<FilterSettings>;
  readonly signal?: AbortSignal | undefined;
}

/** Fills the private index as `git add --all` would, and answers how many paths were left out as sparse. */
export async function addWorktree(filling: IndexFilling): Promise<{ readonly sparsePaths: number }> {
  const { repository, signal } = filling;
  const { gitDir, indexFile } = filling.privateRepository;
  const users = accessRepository(repository, signal);
  const [tracked, settings] = await Promise.all([readIndex(users), filling.settings]);
  // Of a repository that it does not understand, git lists no setting; to any other question it says so.
  const own = `file:${join(repository.commonDir, "config")}`;
  if (!settings.all.some(({ origin }) => origin === own)) await runGit({ ...users, args: ["rev-parse", "--git-dir"] });
  const access: GitAccess = { ...users, gitDir, workTree: repository.root, indexFile };
  const absent = settings.isSparse ? listAbsent(repository, tracked) : [];
  const stored: GitAccess = { ...access, env: settings.env };
  await fillIndex(access, tracked, absent);
  // Hashes without storing: for content that git stores it renews the time of the user's own copy of the object.
  const refresh = ["update-index", "-q", "--refresh"];
  await runGit({ ...stored, args: refresh, okStatuses: [0, 1], outputBytesMax: LIST_BYTES_MAX });
  const adding = { ...stored, args: ["add", "--all"], outputBytesMax: LIST_BYTES_MAX };
  const { stderr } = await runGit(adding).catch(explainEmptyRepository);
  refuseUnreadable(stderr);
  return { sparsePaths: absent.length };
}

async function fillIndex(access: GitAccess, tracked: readonly IndexEntry[], absent: readonly string[]): Promise<void> {
  // Every stage of an unmerged path becomes the path itself: its content is read from the disk anyway.
  await putEntries(
    access,
    tracked.map(({ path, mode, id }) => ({ path, mode: mode.toString(8), id })),
  );
  if (absent.length === 0) return;
  await runGit({
    ...access,
    args: ["update-index", "-z", "--skip-worktree", "--stdin"],
    input: Buffer.from(absent.map((path) => `${path}\0`).join(""), "latin1"),
    outputBytesMax: LIST_BYTES_MAX,
  });
}

/** One call after the other without waiting: a sparse checkout may leave out hundreds of thousands of paths. */
function listAbsent(repository: Repository, tracked: readonly IndexEntry[]): readonly string[] {
  const root = toBytePath(repository.root);
  return tracked
    .filter(({ path, skipWorktree }) => skipWorktree && !exists(joinBytes(root, path)))
    .map(({ path }) => path);
}

function exists(path: Buffer): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new MeasurementError(path.toString(), describeError(error));
  }
}

/** A repository in the tree counts by its commit, and git's message about one without a commit names no remedy. */
function explainEmptyRepository(error: unknown): never {
  const detail = error instanceof MeasurementError ? error.detail : "";
  const path = /'(?<path>[^\n]*)' does not have a commit checked out/.exec(detail)?.groups?.["path"];
  if (path === undefined) throw error;
  const remedy = "commit something in it, list it in an ignore file, or move it away";
  throw new MeasurementError(path, `is a repository without a commit; ${remedy}`);
}

/** Git only warns about a folder that it may not read, and leaves out its content. */
function refuseUnreadable(messages: string): void {
  const warning = /^warning: could not open directory .*$/m.exec(messages);
  if (warning !== null) throw new MeasurementError("the working tree", warning[0].replace("warning: ", ""));
}

/** Takes the user's index, or the one named, as it is; a split index comes with its shared part. */
export async function copyIndex(
  repository: Repository,
  privateRepository: PrivateRepository,
  index = join(repository.gitDir, "index"),
): Promise<void> {
  const names = await readdir(repository.gitDir);
  const shared = names.filter((name) => name.startsWith("sharedindex."));
  for (const name of shared) await copyFile(join(repository.gitDir, name), join(privateRepository.gitDir, name));
  const copy = join(privateRepository.gitDir, "index");
  try {
    const { mtimeMs } = await stat(index);
    await copyFile(index, copy);
    // Git doubts entries that are as young as their index, and an index with the time of the copy would be younger.
    await utimes(copy, Math.floor(mtimeMs / 1000), Math.floor(mtimeMs / 1000));
  } catch (error) {
    // Where there is none, git takes it for an empty one.
    if (readErrorCode(error) !== "ENOENT") throw error;
  }
}

/**
 * The index that a commit would be made from. For a hook git may name a temporary one in the environment, as for `git
 * commit --all`, relative to the root; one that comes with another repository's directory is ignored.
 */
export async function readIndexToCommit({ root, gitDir, environment }: Repository): Promise<string> {
  const named = environment["GIT_INDEX_FILE"] ?? "";
  const besides = environment["GIT_DIR"] ?? "";
  const isForThis = besides === "" || (await realpath(resolve(root, besides)).catch(() => null)) === gitDir;
  return named !== "" && isForThis ? resolve(root, named) : join(gitDir, "index");
}

/** Of a byte string; the mode `0` removes the path. */
type PutEntry = GitSide & { readonly path: string };

/** Puts entries into the index of the access, each with its content by id; their files are not looked at. */
export async function putEntries(
  access: GitAccess,
  entries: Iterable<PutEntry>,
  settings: readonly string[] = [],
): Promise<void> {
  const lines = Array.from(entries, ({ path, mode, id }) => `${mode} ${id} 0\t${path}\0`);
  await runGit({
    ...access,
    args: [...settings, "update-index", "-z", "--index-info"],
    input: Buffer.from(lines.join(""), "latin1"),
  });
}
