/**
 * The layout of a repository, found without running git.
 *
 * Git's own discovery believes environment variables and, when a `.git` is gone, takes the repository of a parent
 * folder. Every git process of relais gets its directories explicitly, so they are found here, by reading.
 */
import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../base/environment.ts";
import { describeError, MeasurementError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";

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
export function findRepository(startDir: string, environment: Environment): Promise<RepositoryLayout> {
  // At once: these are a few calls, and nothing else is to be done meanwhile.
  return new Promise((done) => done(searchUpwards(startDir, environment)));
}

function searchUpwards(startDir: string, environment: Environment): RepositoryLayout {
  const searched = unlessAbsent(startDir, (path) => realpathSync.native(path));
  // Nobody can work in a file, though there may be a repository around it.
  if (searched === null || !statSync(searched).isDirectory())
    return { kind: "none", searched: startDir, exists: false };
  let dir = searched;
  for (let depth = 0; depth < ANCESTORS_MAX; depth += 1) {
    const found = findWorktree(dir, environment);
    if (found !== null) return found;
    // Also the `.git` of a working tree: it is git's own data, with nothing to judge.
    if (looksLikeGitDir(dir)) return { kind: "bare", dir };
    const parent = dirname(dir);
    if (parent === dir) break;
    dir = parent;
  }
  return { kind: "none", searched, exists: true };
}

function findWorktree(root: string, environment: Environment): RepositoryLayout | null {
  const dotGit = join(root, ".git");
  const entry = statOrNull(dotGit);
  if (entry === null) return null;
  const gitFile = !entry.isDirectory();
  if (gitFile && !entry.isFile()) throw new MeasurementError(dotGit, "is neither a folder nor a file");
  const gitDir = gitFile ? readGitFile(dotGit) : realpathSync.native(dotGit);
  // An empty or foreign folder of that name is no repository; git walks past it as well.
  if (!gitFile && !looksLikeGitDir(gitDir)) return null;
  return { kind: "repository", root, gitDir, commonDir: findCommonDir(gitDir), gitFile, environment };
}

/** The same three signs that git looks for. */
function looksLikeGitDir(dir: string): boolean {
  const head = lstatOrNull(join(dir, "HEAD"));
  if (head === null) return false;
  const common = findCommonDir(dir);
  const [objects, refs] = [statOrNull(join(common, "objects")), statOrNull(join(common, "refs"))];
  return objects !== null && objects.isDirectory() && refs !== null && refs.isDirectory();
}

function readGitFile(dotGit: string): string {
  const text = readSmall(dotGit);
  const target = text.startsWith(GIT_FILE_START) ? cutNewlines(text.slice(GIT_FILE_START.length)) : "";
  if (target === "" || target.includes("\0"))
    throw new MeasurementError(dotGit, "is a file that names no git directory");
  const gitDir = resolve(dirname(realpathSync.native(dotGit)), target);
  const real = resolveReal(
    gitDir,
    (error) => new MeasurementError(dotGit, `points to ${gitDir}: ${describeError(error)}`),
  );
  if (!looksLikeGitDir(real)) throw new MeasurementError(dotGit, `points to ${real}, which is no git directory`);
  return real;
}

function findCommonDir(gitDir: string): string {
  const pointer = join(gitDir, "commondir");
  if (lstatOrNull(pointer) === null) return gitDir;
  const text = cutNewlines(readSmall(pointer));
  return resolveReal(resolve(gitDir, text), (error) => new MeasurementError(pointer, describeError(error)));
}

/** By hand, because a pattern that looks for newlines at the end takes quadratic time on a file full of them. */
function cutNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && "\r\n".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function readSmall(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > GIT_FILE_BYTES_MAX) throw new Error(`is ${size} bytes long`);
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new MeasurementError(path, describeError(error));
  }
}

function resolveReal(path: string, explain: (error: unknown) => MeasurementError): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw explain(error);
  }
}

const statOrNull = (path: string): Stats | null => unlessAbsent(path, (entry) => statSync(entry));
const lstatOrNull = (path: string): Stats | null => unlessAbsent(path, (entry) => lstatSync(entry));

/** Only "it is not there" is an answer; a folder that may not be read is a failed measurement. */
function unlessAbsent<T>(path: string, look: (path: string) => T): T | null {
  try {
    return look(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(readErrorCode(error) ?? "")) return null;
    throw new MeasurementError(path, describeError(error));
  }
}
