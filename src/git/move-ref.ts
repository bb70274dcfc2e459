import { makeIdentityVariables, type CommitAuthor } from "./commit-tree.ts";
import { DURABLE } from "./filter-view.ts";
import { accessRepository, runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

interface RefMove {
  readonly ref: string;
  readonly to: string;
  /** Where it must be now, zeros for a new one; absent moves it from anywhere. */
  readonly from?: string;
  /** For the reflog. */
  readonly reason: string;
  readonly identity?: CommitAuthor;
}

/** Moves a ref, or throws and changes nothing. */
export async function moveRef(repository: Repository, { ref, to, from, reason, identity }: RefMove): Promise<void> {
  await runGit({
    ...accessRepository(repository),
    args: [...DURABLE, "update-ref", "-m", reason, ref, to, ...(from === undefined ? [] : [from])],
    env: identity && makeIdentityVariables(identity),
  });
}

/** Removes a ref that is still at this commit. */
export async function removeRef(repository: Repository, ref: string, commit: string): Promise<void> {
  await runGit({ ...accessRepository(repository), args: ["update-ref", "-d", ref, commit] });
}
