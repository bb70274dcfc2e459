import { type GitRequest, runGit } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";

type OwnPart = Omit<GitRequest, "cwd" | "environment" | "gitDir" | "workTree">;

/** The paths that a git command with `-z` prints. */
export async function listGitPaths(repository: Repository, request: OwnPart): Promise<readonly string[]> {
  const { root, environment, gitDir } = repository;
  const { stdout } = await runGit({ ...request, cwd: root, environment, gitDir, workTree: root });
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "");
}
