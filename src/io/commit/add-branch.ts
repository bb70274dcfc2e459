import type { NewBranch } from "./create-branch.ts";
import { findCommit } from "../git/find-commit.ts";
import { accessRepository, runGit } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";

const nameRef = (branch: string) => `refs/heads/${branch}`;

/** Names that git takes for something else than a branch. */
const TAKEN = /^(?:HEAD|@|refs\/.*)$/u;

/** Whether git takes it as the name of a branch, and nobody can take it for an option or another ref. */
export async function isBranchName(repository: Repository, branch: string): Promise<boolean> {
  if (branch === "" || branch.startsWith("-") || branch.includes("\0") || TAKEN.test(branch)) return false;
  const args = ["check-ref-format", nameRef(branch)];
  const { status } = await runGit({ ...accessRepository(repository), args, okStatuses: [0, 1] });
  return status === 0;
}

/** A branch in the way of a new one: the same, a parent of its name, or one below it. */
export async function findBranchInTheWay(repository: Repository, branch: string): Promise<string | null> {
  const parts = branch.split("/");
  for (let count = 1; count < parts.length; count++) {
    const parent = parts.slice(0, count).join("/");
    if ((await findCommit(nameRef(parent), { repository })) !== null) return parent;
  }
  const args = ["for-each-ref", "--count=1", "--format=%(refname)", nameRef(branch)];
  const { stdout } = await runGit({ ...accessRepository(repository), args });
  const found = stdout.toString("utf8").trim();
  return found === "" ? null : found.slice(nameRef("").length);
}

/** Makes a new branch at a commit; HEAD and the working tree stay as they are. */
export async function addBranch({ repository, branch, commit }: NewBranch): Promise<void> {
  const unborn = "0".repeat(commit.length);
  const args = ["update-ref", "-m", "relais: a goal is handed over", nameRef(branch), commit, unborn];
  await runGit({ ...accessRepository(repository), args });
}
