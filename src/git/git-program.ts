/**
 * Which git is run: the first on the PATH that the change being judged cannot contain.
 *
 * `npx` and `npm run` put `node_modules/.bin` first, and a relative entry of the PATH means a folder below the current
 * one. A program found there may be part of the change. So such entries do not count, and neither does a git inside a
 * repository that is worked on.
 */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { findRepositoryAround, isOutside, resolveReal } from "../system/outside-repository.ts";

interface GitProgram {
  readonly file: string;
  /** The PATH for git and what it starts. */
  readonly path: string;
}

const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
const PACKAGE_PROGRAMS = /(?:^|[/\\])node_modules[/\\]+\.bin(?:[/\\]|$)/;

/** Of one run of relais, which has its own environment. */
interface Search {
  /** Where git was run, so that each place is looked at once. */
  readonly places: Set<string>;
  /** The repositories around them, none of which git is taken from. */
  readonly roots: Set<string>;
  found: { readonly searched: string; readonly program: GitProgram } | null;
}

const searches = new WeakMap<Environment, Search>();

/** The repository around a folder has no say in which git is run, even where git is first run elsewhere. */
export function distrustRepository(cwd: string, environment: Environment): Search {
  const search = searches.get(environment) ?? { places: new Set(), roots: new Set(), found: null };
  searches.set(environment, search);
  if (search.places.has(cwd)) return search;
  search.places.add(cwd);
  const root = findRepositoryAround(cwd);
  if (root === null || search.roots.has(root)) return search;
  search.roots.add(root);
  search.found = null;
  return search;
}

/** The git to run in `cwd`; null where no git can be trusted. */
export function findGitProgram(cwd: string, environment: Environment): GitProgram | null {
  const path = environment["PATH"] ?? USUAL_PATH;
  const search = distrustRepository(cwd, environment);
  if (search.found?.searched === path) return search.found.program;
  const folders = path.split(delimiter).filter((entry) => isAbsolute(entry) && !isPackageFolder(entry));
  const roots = [...search.roots];
  const file = folders.map(locateGit).find((candidate) => isReliable(candidate, roots));
  if (file === undefined) return null;
  const program = { file, path: folders.join(delimiter) };
  search.found = { searched: path, program };
  return program;
}

const locateGit = (folder: string): string => join(folder, "git");

function isPackageFolder(path: string): boolean {
  return PACKAGE_PROGRAMS.test(path) || PACKAGE_PROGRAMS.test(resolveReal(path) ?? "");
}

function isReliable(file: string, roots: readonly string[]): boolean {
  return isProgram(file) && isOutside(file, roots);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
