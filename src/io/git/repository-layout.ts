/**
 * The layout of a repository, found without running git.
 *
 * Git's own discovery believes environment variables and, when a `.git` is gone, takes the repository of a parent
 * folder. Every git process of relais gets its directories explicitly, so they are found here, by reading.
 */
import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../../contract/values/environment.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { describeError } from "../../contract/values/describe-error.ts";
import { readErrorCode } from "../files/error-code.ts";

export interface Repository {
  readonly kind: "repository";
  /** The real path of the working tree. */
  readonly root: string;
  readonly gitDir: string;
  /** The git directory that linked worktrees share; the same as `gitDir` in an ordinary repository. */
  readonly commonDir: string;
  /** Whether `.git` is a file, as in linked worktrees and submodules. */
  readonly gitFile: boolean;
  /** Of the person, to find git and their own settings. */
  readonly environment: Environment;
}

export type RepositoryLayout =
  | Repository
  | { readonly kind: "bare"; readonly dir: string }
  /** `searched` is the folder where the search began; it need not exist. */
  | { readonly kind: "none"; readonly searched: string; readonly exists: boolean };

const GIT_FILE_START = "gitdir: ";
const GIT_FILE_BYTES_MAX = 64 * 1024;
/** Depth of a path that file systems allow, so that the walk to the root is bounded. */
const ANCESTORS_MAX = 4096;

/** Searches upwards from a folder; a damaged `.git` is an error. */
export async function findRepository(startDir: string, environment: Environment): Promise<RepositoryLayout> {
  const searched = await realpath(startDir).catch((error: unknown) => expectAbsent(startDir, error));
  // Nobody can work in a file, though there may be a repository around it.
  if (searched === null || !(await stat(searched)).isDirectory())
    return { kind: "none", searched: startDir, exists: false };
  let dir = searched;
  for (let depth = 0; depth < ANCESTORS_MAX; depth += 1) {
    const found = await findWorktree(dir, environment);
    if (found !== null) return found;
    // Also the `.git` of a working tree: it is git's own data, with nothing to judge.
    if (await looksLikeGitDir(dir)) return { kind: "bare", dir };
    const parent = dirname(dir);
    if (parent === dir) break;
    dir = parent;
  }
  return { kind: "none", searched, exists: true };
}

async function findWorktree(root: string, environment: Environment): Promise<RepositoryLayout | null> {
  const dotGit = join(root, ".git");
  const entry = await statOrNull(dotGit);
  if (entry === null) return null;
  const gitFile = !entry.isDirectory();
  if (gitFile && !entry.isFile()) throw new MeasurementError(dotGit, "is neither a folder nor a file");
  const gitDir = gitFile ? await readGitFile(dotGit) : await realpath(dotGit);
  // An empty or foreign folder of that name is no repository; git walks past it as well.
  if (!gitFile && !(await looksLikeGitDir(gitDir))) return null;
  return { kind: "repository", root, gitDir, commonDir: await findCommonDir(gitDir), gitFile, environment };
}

/** The same three signs that git looks for. */
async function looksLikeGitDir(dir: string): Promise<boolean> {
  const head = await lstatOrNull(join(dir, "HEAD"));
  if (head === null) return false;
  const common = await findCommonDir(dir);
  const [objects, refs] = await Promise.all([statOrNull(join(common, "objects")), statOrNull(join(common, "refs"))]);
  return objects !== null && objects.isDirectory() && refs !== null && refs.isDirectory();
}

async function readGitFile(dotGit: string): Promise<string> {
  const text = await readSmall(dotGit);
  const target = text.startsWith(GIT_FILE_START) ? cutNewlines(text.slice(GIT_FILE_START.length)) : "";
  if (target === "" || target.includes("\0"))
    throw new MeasurementError(dotGit, "is a file that names no git directory");
  const gitDir = resolve(dirname(await realpath(dotGit)), target);
  const real = await realpath(gitDir).catch((error: unknown) => {
    throw new MeasurementError(dotGit, `points to ${gitDir}: ${describeError(error)}`);
  });
  if (!(await looksLikeGitDir(real)))
    throw new MeasurementError(dotGit, `points to ${real}, which is no git directory`);
  return real;
}

async function findCommonDir(gitDir: string): Promise<string> {
  const pointer = join(gitDir, "commondir");
  if ((await lstatOrNull(pointer)) === null) return gitDir;
  const text = cutNewlines(await readSmall(pointer));
  return realpath(resolve(gitDir, text)).catch((error: unknown) => {
    throw new MeasurementError(pointer, describeError(error));
  });
}

/** By hand, because a pattern that looks for newlines at the end takes quadratic time on a file full of them. */
function cutNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && "\r\n".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

async function readSmall(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > GIT_FILE_BYTES_MAX) throw new Error(`is ${size} bytes long`);
    return await readFile(path, "utf8");
  } catch (error) {
    throw new MeasurementError(path, describeError(error));
  }
}

function statOrNull(path: string) {
  return stat(path).catch((error: unknown) => expectAbsent(path, error));
}

function lstatOrNull(path: string) {
  return lstat(path).catch((error: unknown) => expectAbsent(path, error));
}

/** Only "it is not there" is an answer; a folder that may not be read is a failed measurement. */
function expectAbsent(path: string, error: unknown): null {
  if (["ENOENT", "ENOTDIR"].includes(readErrorCode(error) ?? "")) return null;
  throw new MeasurementError(path, describeError(error));
}
