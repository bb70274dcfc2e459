/** What keeps git from writing in a repository. */
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { CodeOf } from "../base/codes.ts";
import { type GitOperation, listUnwritablePlaces } from "../git/git-status.ts";
import type { Repository } from "../git/repository-layout.ts";

interface RepositoryRefusal {
  readonly code: CodeOf<"blocked">;
  readonly cause: string;
  readonly message: string;
}

export function refuseGitOperation(found: GitOperation): RepositoryRefusal {
  const cause = `${found.replace("-", "_")}_in_progress`;
  const message = `A ${found} is in progress in this repository.`;
  return { code: "BLOCKED_DIRTY_WORKTREE", cause, message };
}

const SHOWN_MAX = 3;

export function refuseUnwritable(repository: Repository, { workspace_dir, runner }: Config): RepositoryRefusal | null {
  const { root } = repository;
  const own = [join(root, workspace_dir), join(root, runner.lockfile, "..")];
  const places = listUnwritablePlaces(repository, [...new Set(own)]);
  if (places.length === 0) return null;
  const more = places.length > SHOWN_MAX ? ` and ${places.length - SHOWN_MAX} more` : "";
  const message = `This user cannot write ${places.slice(0, SHOWN_MAX).join(", ")}${more}.`;
  return { code: "BLOCKED_MISSING_CONFIG", cause: "repository_not_writable", message };
}
