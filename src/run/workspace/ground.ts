/**
 * What has to be there before a tick can even be thought of: a repository, a configuration, a commit, a workspace.
 *
 * These come before the lock, so whatever is missing is said and nothing is written.
 */
import { join } from "node:path";
import type { CodeOf } from "../../contract/values/codes.ts";
import type { Config } from "../../contract/config/config.ts";
import type { Head } from "../../contract/evidence/evidence.ts";
import type { Environment } from "../../contract/values/environment.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { parseConfig } from "../../contract/config/parse-config.ts";
import { configProblems } from "../../core/setup/config-problems.ts";
import { parseDocument } from "../../core/documents/parse-document.ts";
import { isAtLeast } from "../../core/words/version-order.ts";
import { readBounded } from "../../io/files/bounded-file.ts";
import { GIT_WANTED, gitVersion } from "../../io/git/git-version.ts";
import { readHead } from "../../io/git/read-head.ts";
import { findRepository, type Repository, type RepositoryLayout } from "../../io/git/repository-layout.ts";
import { openStateDirectory, type StateDirectory } from "../../io/workspace/state-directory.ts";
import { WORKSPACE_MISSING, workspaceProblem } from "../../io/workspace/workspace-folder.ts";

export interface Ground {
  readonly kind: "ready";
  readonly repository: Repository;
  readonly config: Config;
  readonly configText: string;
  readonly head: Head & { readonly commit: string };
  /** The workspace folder, as an absolute path. */
  readonly workspace: string;
  readonly stateDirectory: string;
  readonly lockPath: string;
}

/** Nothing could start, and nothing was written. */
export interface Unready {
  readonly kind: "blocked";
  readonly code: CodeOf<"blocked">;
  readonly cause: string;
  readonly message: string;
  readonly problems: readonly string[];
  /** What to do, where the code's own remedy would lead astray. */
  readonly remedy?: string;
}

const CONFIG_NAME = "relais.config.json";
const MEND_CONFIG = `Mend ${CONFIG_NAME}; \`relais doctor\` looks at it again.`;
const CONFIG_BYTES_MAX = 1024 * 1024;

/** How the state directory is come by: made where it is missing, or only looked for. */
type FindState = (repository: Repository, environment: Environment) => StateDirectory;

export async function findGround(
  cwd: string,
  environment: Environment,
  findState: FindState = openStateDirectory,
): Promise<Ground | Unready> {
  const layout = await findRepository(cwd, environment);
  if (layout.kind === "none" && !layout.exists) return noRepository(layout);
  const unusable = await gitUnusable(cwd, environment);
  if (unusable !== null) return unusable;
  switch (layout.kind) {
    case "none":
      return noRepository(layout);
    case "bare":
      return bareRepository(layout.dir);
    case "repository":
      return inRepository(layout, () => findState(layout, environment));
    default:
      return unreachable(layout);
  }
}

/** Why the git of this machine does not serve; null where it does. */
export async function gitUnusable(cwd: string, environment: Environment): Promise<Unready | null> {
  const wanted = GIT_WANTED.join(".");
  try {
    const version = await gitVersion(cwd, environment);
    if (isAtLeast(version, GIT_WANTED)) return null;
    return unready(
      "git_too_old",
      `${version} is too old; relais needs git ${wanted} or later.`,
      `Install git ${wanted} or later, and put it first on the PATH.`,
    );
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    const remedy = `Install git ${wanted} or later and make sure that it is on the PATH.`;
    return unready("git_missing", `git cannot be run: ${error.detail}.`, remedy);
  }
}

async function inRepository(
  repository: Repository,
  findState: () => StateDirectory,
): Promise<Ground | Unready> {
  const read = await readConfig(repository);
  if (read.kind === "blocked") return read;
  const head = await readHead(repository);
  if (head.commit === null)
    return unready(
      "no_commit",
      `The repository at ${repository.root} has no commit yet.`,
      "Commit something first: a tick needs a state to go back to.",
    );
  if (!head.text.startsWith("ref: ")) {
    return unready(
      "detached_head",
      "HEAD is detached: switch to a branch first, so that the work has a place.",
      "`git switch <branch>`, or `git switch -c <new branch>`.",
    );
  }
  const workspace = join(repository.root, read.config.workspace_dir);
  const problem = workspaceProblem(repository.root, read.config.workspace_dir);
  if (problem !== null) return workspaceUnusable(workspace, problem);
  const state = findState();
  if (state.kind === "unusable") return stateUnusable(state);
  return {
    ...read,
    kind: "ready",
    repository,
    head: { text: head.text, commit: head.commit },
    workspace,
    stateDirectory: state.path,
    lockPath: state.lockPath,
  };
}

type ConfigRead = { readonly kind: "config"; readonly config: Config; readonly configText: string } | Unready;

async function readConfig(repository: Repository): Promise<ConfigRead> {
  const read = await readBounded(join(repository.root, CONFIG_NAME), CONFIG_BYTES_MAX);
  if (read.kind === "missing") {
    return unready(
      "config_missing",
      `There is no ${CONFIG_NAME} at the root of the repository, ${repository.root}.`,
      "Run `relais init` there.",
    );
  }
  if (read.kind === "refused")
    return unready("config_unreadable", `${CONFIG_NAME} cannot be used: ${read.reason}.`, MEND_CONFIG);
  return configOf(read.data.toString("utf8"));
}

/** Understands the text of a configuration, or says all that is wrong with it. */
export function configOf(configText: string): ConfigRead {
  const document = parseDocument(new TextEncoder().encode(configText));
  if (document.kind === "broken")
    return unready("config_not_json", `${CONFIG_NAME} ${document.problem}.`, MEND_CONFIG);
  const parsed = parseConfig(document.value);
  const problems =
    parsed.kind === "valid" ? configProblems(parsed.value) : parsed.problems.map(({ message }) => message);
  if (parsed.kind === "invalid" || problems.length > 0) {
    return { ...unready("config_invalid", `${CONFIG_NAME} is not valid.`, MEND_CONFIG), problems };
  }
  return { kind: "config", config: parsed.value, configText };
}

/** Something is missing before anything can be done. The remedy of the code serves where none is given. */
export function unready(cause: string, message: string, remedy?: string): Unready {
  const why = { kind: "blocked", code: "BLOCKED_MISSING_CONFIG", cause, message, problems: [] } as const;
  return remedy === undefined ? why : { ...why, remedy };
}

/** No repository is there to work on. */
export function noRepository({ searched, exists }: Extract<RepositoryLayout, { kind: "none" }>): Unready {
  if (!exists)
    return unready("no_folder", `There is no folder ${searched}.`, "Name one that exists with --cwd.");
  return unready(
    "no_repository",
    `There is no git repository at ${searched} or above it.`,
    "Go to a repository or name one with --cwd; `git init` makes one.",
  );
}

export function bareRepository(dir: string): Unready {
  const message = `${dir} is a repository without a working tree.`;
  return unready("bare_repository", message, "Work in a clone of it.");
}

export function stateUnusable({ path, reason }: Extract<StateDirectory, { kind: "unusable" }>): Unready {
  return unready(
    "state_unusable",
    `The state directory ${path} cannot be used: ${reason}.`,
    "Make it writable, or set XDG_STATE_HOME to a folder outside the repository that is.",
  );
}

/** What lies behind a link or a file in the place of the workspace is not ours; a workspace that is missing is no trouble. */
export function replacedWorkspace(root: string, { workspace_dir }: Config): Unready | null {
  const problem = workspaceProblem(root, workspace_dir);
  if (problem === null || problem === WORKSPACE_MISSING) return null;
  return workspaceUnusable(join(root, workspace_dir), problem);
}

function workspaceUnusable(workspace: string, problem: string): Unready {
  return unready(
    "workspace_unusable",
    `The workspace ${workspace} cannot be used: ${problem}.`,
    "Mend that, or name another folder as workspace_dir in relais.config.json.",
  );
}

export function builderUnusable(problem: string): Unready {
  const remedy = "Correct the builder in relais.config.json; `relais doctor` looks at it again.";
  return unready("builder_unusable", `The builder cannot be used: ${problem}.`, remedy);
}
