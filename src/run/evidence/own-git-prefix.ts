import type { Repository } from "../../io/git/repository-layout.ts";

/** Where this worktree's own HEAD and index lie below the common git directory: "" or `worktrees/<name>/`. */
export function findOwnGitPrefix({ gitDir, commonDir }: Repository): string {
  return gitDir === commonDir ? "" : `${gitDir.slice(commonDir.length + 1)}/`;
}
