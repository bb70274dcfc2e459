/** Where this worktree's own HEAD and index lie below the common git directory: "" or `worktrees/<name>/`. */
export function findOwnGitPrefix({
  gitDir,
  commonDir,
}: {
  readonly gitDir: string;
  readonly commonDir: string;
}): string {
  return gitDir === commonDir ? "" : `${gitDir.slice(commonDir.length + 1)}/`;
}
