import { accessRepository, runGit } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";

export interface NewBranch {
  readonly repository: Repository;
  readonly branch: string;
  readonly commit: string;
}

/** Makes a branch at a commit and switches HEAD to it. The working tree and the index stay as they are. */
export async function createBranch({ repository, branch, commit }: NewBranch): Promise<void> {
  const access = accessRepository(repository);
  const ref = `refs/heads/${branch}`;
  await runGit({ ...access, args: ["check-ref-format", ref] });
  const unborn = "0".repeat(commit.length);
  await runGit({ ...access, args: ["update-ref", "-m", "relais: a branch for the series", ref, commit, unborn] });
  await runGit({ ...access, args: ["symbolic-ref", "-m", "relais: a branch for the series", "HEAD", ref] });
}
