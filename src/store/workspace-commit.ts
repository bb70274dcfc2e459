import type { WorkspaceCommit } from "../records/setup-answers.ts";
import { MeasurementError } from "../base/errors.ts";
import { toBytePath } from "../system/byte-path.ts";
import { USER_CONFIG_VARIABLES } from "../git/filter-settings.ts";
import { accessRepository, type GitRequest, runGit } from "../git/git.ts";
import { readHead } from "../git/head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { listTreePaths } from "../git/tree-listing.ts";
import { readIndex } from "./read-index.ts";
import { pickVariables } from "../system/child-environment.ts";
import type { FilterView } from "../git/filter-view.ts";

/**
 * One commit of a few files that a person asked for, as their own git would make it.
 *
 * Identity, filters and line endings are the user's. Hooks, signing and everything that could ask a question are off.
 * Other staged changes stay staged: git commits the given paths only.
 */

interface CommitRequest {
  readonly repository: Repository;
  /** Files that HEAD does not have, relative to the root; their names mean nothing special to git. */
  readonly paths: readonly string[];
  readonly message: string;
  readonly signal?: AbortSignal | undefined;
}

const OUTPUT_BYTES_MAX = 1024 * 1024;

const USER_VARIABLES = [
  ...USER_CONFIG_VARIABLES,
  "GIT_ATTR_NOSYSTEM",
  ...["AUTHOR", "COMMITTER"].flatMap((who) => ["NAME", "EMAIL", "DATE"].map((what) => `GIT_${who}_${what}`)),
  "EMAIL",
];

/** Which of these paths the last commit does not have; a person may have staged some of them. */
export async function listPathsNotInHead({
  paths,
  ...where
}: Omit<CommitRequest, "message">): Promise<readonly string[]> {
  const { commit } = await readHead(where.repository, where.signal);
  if (commit === null) return paths;
  const known = new Set(await listTreePaths(accessRepository(where.repository, where.signal), commit, paths));
  return paths.filter((path) => !known.has(toBytePath(path)));
}

/** Commits exactly these files on top of HEAD, or says why git refused. */
export async function commitFiles({ paths, message, ...where }: CommitRequest): Promise<WorkspaceCommit> {
  let added: readonly string[];
  try {
    for (const who of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) await askGit(["var", who], where);
    const tracked = await readIndex(accessRepository(where.repository, where.signal));
    const staged = new Set(tracked.map(({ path }) => path));
    added = paths.filter((path) => !staged.has(toBytePath(path)));
    if (added.length > 0) await askGit(["add", "--force", "--", ...added], where);
  } catch (error) {
    return refuse(error);
  }
  try {
    const options = ["--quiet", "--only", "--no-verify", "--no-gpg-sign", `--message=${message}`];
    await askGit(["commit", ...options, "--", ...paths], where);
  } catch (error) {
    // What a person had staged stays staged.
    if (added.length > 0) await askGit(["reset", "--quiet", "--", ...added], where);
    return refuse(error);
  }
  return { kind: "committed", commit: (await askGit(["rev-parse", "--verify", "HEAD"], where)).trim() };
}

type CommitContext = Pick<CommitRequest, "repository" | "signal">;

async function askGit(args: GitRequest["args"], { repository, signal }: CommitContext): Promise<string> {
  const { stdout } = await runGit({
    ...accessRepository(repository, signal),
    args,
    workTree: repository.root,
    env: { ...pickVariables(repository.environment, USER_VARIABLES), GIT_LITERAL_PATHSPECS: undefined },
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  return stdout.toString("utf8");
}

function refuse(error: unknown): WorkspaceCommit {
  if (!(error instanceof MeasurementError)) throw error;
  return { kind: "refused", reason: error.message };
}

const FORMAT = ["--stat", "-p", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];

/** The change between two commits for an agent to read: an overview and the beginning of the patch. */
export async function commitPatch(repository: Repository, from: string, to: string, bytesMax: number): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  await runGit({
    ...accessRepository(repository),
    workTree: repository.root,
    args: ["diff-tree", "-r", ...FORMAT, from, to, "--"],
    onStdout: (chunk) => {
      if (bytes < bytesMax) kept.push(chunk.subarray(0, bytesMax - bytes));
      bytes += chunk.length;
    },
    outputBytesMax: Number.MAX_SAFE_INTEGER,
  });
  return Buffer.concat(kept).toString("utf8");
}

const MESSAGES_BYTES_MAX = 1024 * 1024;

/** Writes paths of a commit into the tree of the view, as a checkout would: through the repository's filters. */
export async function layOutPaths({ access }: FilterView, commit: string, paths: readonly string[]): Promise<void> {
  await runGit({ ...access, args: ["read-tree", commit] });
  if (paths.length === 0) return;
  const { stderr } = await runGit({
    ...access,
    args: ["checkout-index", "-f", "-z", "--stdin"],
    input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
    outputBytesMax: MESSAGES_BYTES_MAX,
  });
  refuseUnfiltered(stderr);
}

/** Git goes on with unconverted content when a filter fails that is not required. A commit should not. */
export function refuseUnfiltered(messages: string): void {
  const failure = /^(?:error|fatal): (?<what>.*external filter '.*)$/m.exec(messages)?.groups?.["what"];
  if (failure !== undefined) throw new MeasurementError("the repository's filters", failure);
}
