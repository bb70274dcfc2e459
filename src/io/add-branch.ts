import type { NewBranch } from "./create-branch.ts";
import { runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

const refOf = (branch: string) => `refs/heads/${branch}`;

/** Whether git takes it as the name of a branch, and nothing takes it for an option. */
export async function isBranchName({ root, gitDir }: Repository, branch: string): Promise<boolean> {
  if (branch === "" || branch.startsWith("-") || branch.includes("\0")) return false;
  const args = ["check-ref-format", refOf(branch)];
  const { status } = await runGit({ args, cwd: root, gitDir, okStatuses: [0, 1], outputBytesMax: 4096 });
  return status === 0;
}

/** Makes a branch that is not there yet at a commit; HEAD and the working tree stay as they are. */
export async function addBranch({ repository, branch, commit }: NewBranch): Promise<void> {
  await runGit({
    args: [
      "update-ref",
      "-m",
      "relais: a goal is handed over",
      refOf(branch),
      commit,
      "0".repeat(commit.length),
    ],
    cwd: repository.root,
    gitDir: repository.gitDir,
    outputBytesMax: 4096,
  });
}
