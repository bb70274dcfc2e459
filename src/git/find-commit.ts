import { accessRepository, runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

const ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Git's status for a revision that it cannot resolve, and also for a repository that it cannot read. */
const FATAL = 128;

/** Null where the revision leads to no commit; throws where git cannot read the repository. */
export async function findCommit(
  revision: string,
  { repository, signal }: { readonly repository: Repository; readonly signal?: AbortSignal | undefined },
): Promise<string | null> {
  // An option or a negation would be read as such by git.
  if (/^[-^]|^$|\0/.test(revision)) return null;
  const access = { ...accessRepository(repository, signal), workTree: repository.root };
  const { stdout, status } = await runGit({
    ...access,
    args: ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`],
    okStatuses: [0, 1, FATAL],
  });
  if (status === FATAL) await runGit({ ...access, args: ["rev-parse", "--git-dir"] });
  const id = stdout.toString("latin1").trim();
  return status === 0 && ID.test(id) ? id : null;
}

/** Whether one commit is among the ancestors of another, or is the same; false where git does not know it any more. */
export async function isAncestor(ancestor: string, commit: string, repository: Repository): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", ancestor, commit];
  const { status } = await runGit({ ...accessRepository(repository), args, okStatuses: [0, 1, FATAL] });
  return status === 0;
}

/** Whether a commit has an entry at this path. */
export async function hasCommitted(repository: Repository, commit: string, path: string): Promise<boolean> {
  const args = ["cat-file", "-e", `${commit}:${path}`];
  const { status } = await runGit({ ...accessRepository(repository), args, okStatuses: [0, 1, FATAL] });
  return status === 0;
}
