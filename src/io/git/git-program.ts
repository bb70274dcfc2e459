/**
 * Which git is run: the first on the PATH that the change being judged cannot contain.
 *
 * `npx` and `npm run` put `node_modules/.bin` first, and a relative entry of the PATH means a folder below the current
 * one. A program found there may be part of the change. So such entries do not count, and neither does a git inside the
 * current repository.
 */
import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import type { Environment } from "../../contract/values/environment.ts";

interface GitProgram {
  readonly file: string;
  /** The PATH for git and what it starts. */
  readonly path: string;
}

const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
const PACKAGE_PROGRAMS = /(?:^|[/\\])node_modules[/\\]+\.bin(?:[/\\]|$)/;

/** Searched once for each run of relais, which has its own environment, from the first folder that git is run in. */
const found = new WeakMap<Environment, { readonly searched: string; readonly program: GitProgram }>();

/** The git to run in `cwd`; null where no git can be trusted. */
export function findGitProgram(cwd: string, environment: Environment): GitProgram | null {
  const path = environment["PATH"] ?? USUAL_PATH;
  const known = found.get(environment);
  if (known?.searched === path) return known.program;
  const folders = path.split(delimiter).filter((entry) => isAbsolute(entry) && !isPackageFolder(entry));
  const root = findRepositoryAround(cwd);
  const file = folders.map(locateGit).find((candidate) => isReliable(candidate, root));
  if (file === undefined) return null;
  const program = { file, path: folders.join(delimiter) };
  found.set(environment, { searched: path, program });
  return program;
}

const locateGit = (folder: string): string => join(folder, "git");

function isPackageFolder(path: string): boolean {
  return PACKAGE_PROGRAMS.test(path) || PACKAGE_PROGRAMS.test(resolveReal(path) ?? "");
}

function isReliable(file: string, root: string | null): boolean {
  if (!isProgram(file)) return false;
  // Its name, the real path of its folder, and its own real path: each of them could be part of the change.
  const places = [file, resolveReal(dirname(file)), resolveReal(file)];
  return root === null || places.every((place) => place !== null && !place.startsWith(root));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The nearest folder upwards with a `.git`, ending with a separator. The root of the file system excludes nothing. */
function findRepositoryAround(cwd: string): string | null {
  for (let folder = resolveReal(cwd); folder !== null && folder !== dirname(folder); folder = dirname(folder)) {
    if (exists(join(folder, ".git"))) return `${folder}${sep}`;
  }
  return null;
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function resolveReal(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
