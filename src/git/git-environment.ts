import { AsyncLocalStorage } from "node:async_hooks";

/** The environment and settings of every git process: made from nothing, with nothing left for git to look for. */

/** Where git finds its parts; what is not named does not exist for it. */
export interface GitPlaces {
  /** Left out only for commands that need no repository. */
  readonly gitDir?: string | undefined;
  readonly workTree?: string | undefined;
  readonly indexFile?: string | undefined;
  readonly objectDirectory?: string | undefined;
  readonly alternates?: readonly string[] | undefined;
  /** Variables on top of the hardened ones; `undefined` takes one of those away. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Settings that would start a program, write unnoticed, reach for the network or show another history. */
export const HARDENING = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.untrackedCache=false",
  "core.pager=cat",
  "core.editor=false",
  "core.askPass=",
  "credential.helper=",
  "gc.auto=0",
  "maintenance.auto=false",
  "diff.external=",
  "protocol.allow=never",
  "submodule.recurse=false",
  "advice.addEmbeddedRepo=false",
  "advice.graftFileDeprecated=false",
  // A list of commits and their parents that git believes without looking at the commits.
  "core.commitGraph=false",
].flatMap((setting) => ["-c", setting]);

export function makeGitEnvironment(places: GitPlaces, path: string): NodeJS.ProcessEnv {
  return {
    PATH: path,
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    // Grafts would hide commits. A shallow clone's own list stays: without it no history could be walked there.
    GIT_GRAFT_FILE: "/dev/null",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_CEILING_DIRECTORIES: "/",
    // Without a named repository there is none: a search could find somebody else's.
    GIT_DIR: places.gitDir ?? "/dev/null",
    ...setVariable("GIT_WORK_TREE", places.workTree),
    ...setVariable("GIT_INDEX_FILE", places.indexFile),
    ...setVariable("GIT_OBJECT_DIRECTORY", places.objectDirectory),
    ...setVariable("GIT_ALTERNATE_OBJECT_DIRECTORIES", places.alternates?.map(quoteStore).join(":")),
    ...places.env,
  };
}

function setVariable(name: string, value: string | undefined): Record<string, string> {
  return value === undefined || value === "" ? {} : { [name]: value };
}

/** An object store in the form of git's lists: quoted where a separator could be mistaken. */
export function quoteStore(path: string): string {
  if (!/[":\n\\#]/.test(path)) return path;
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

/**
 * The bounds of every git process of some work, however deep in it git is called.
 *
 * Dozens of small functions run git, and one of them without a signal would outlive the work. So the bounds belong to
 * the work and not to the call.
 */

export interface GitBounds {
  /** Carried by each git and all that it starts, so that they can be found when nobody waits for them any more. */
  readonly marker: string | null;
  /** Ends each git at once; null where the work must finish. */
  readonly signal: AbortSignal | null;
}

const UNBOUNDED: GitBounds = { marker: null, signal: null };
const storage = new AsyncLocalStorage<GitBounds>();

export function withGitBounds<T>(bounds: GitBounds, work: () => Promise<T>): Promise<T> {
  return storage.run(bounds, work);
}

export function getGitBounds(): GitBounds {
  return storage.getStore() ?? UNBOUNDED;
}
