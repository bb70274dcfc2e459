import type { NewBranch } from "./create-branch.ts";
import { findCommit } from "../git/find-commit.ts";
import { runGit } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";

const refOf = (branch: string) => `refs/heads/${branch}`;

/** Names that git takes for something else wherever a branch can be named. */
const TAKEN = /^(?:HEAD|@|refs\/.*)$/u;

/** Whether git takes it as the name of a branch, and nothing takes it for an option or for another ref. */
export async function isBranchName(repository: Repository, branch: string): Promise<boolean> {
  if (branch === "" || branch.startsWith("-") || branch.includes("\0") || TAKEN.test(branch)) return false;
  const args = ["check-ref-format", refOf(branch)];
  const { root: cwd, gitDir, environment } = repository;
  const { status } = await runGit({
    args,
    cwd,
    environment,
    gitDir,
    okStatuses: [0, 1],
    outputBytesMax: 4096,
  });
  return status === 0;
}

/** A branch that keeps another one from being made: the same, one that it would lie below, or one below it. */
export async function findBranchInTheWay(repository: Repository, branch: string): Promise<string | null> {
  const parts = branch.split("/");
  for (let count = 1; count < parts.length; count++) {
    const parent = parts.slice(0, count).join("/");
    if ((await findCommit(refOf(parent), { repository })) !== null) return parent;
  }
  const { stdout } = await runGit({
    args: ["for-each-ref", "--count=1", "--format=%(refname)", refOf(branch)],
    cwd: repository.root,
    environment: repository.environment,
    gitDir: repository.gitDir,
    outputBytesMax: 4096,
  });
  const found = stdout.toString("utf8").trim();
  return found === "" ? null : found.slice(refOf("").length);
}

/** Makes a branch that is not there yet at a commit; HEAD and the working tree stay as they are. */
export async function addBranch({ repository, branch, commit }: NewBranch): Promise<void> {
  await runGit({
    args: ["update-ref", "-m", "relais: a goal is handed over", refOf(branch), commit, "0".repeat(commit.length)],
    cwd: repository.root,
    environment: repository.environment,
    gitDir: repository.gitDir,
    outputBytesMax: 4096,
  });
}
