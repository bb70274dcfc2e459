import { DURABLE } from "./filter-view.ts";
import { askGit, type GitAccess } from "./git.ts";

export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
}

interface NewCommit {
  /** By its id, or by a commit with `^{tree}`. */
  readonly tree: string;
  readonly parent: string | null;
  readonly message: string;
  readonly identity: CommitAuthor;
}

/** Writes a commit that nothing leads to. Plumbing neither signs nor runs hooks, whatever is configured. */
export async function commitTree(
  access: GitAccess,
  { tree, parent, message, identity }: NewCommit,
  settings: readonly string[] = DURABLE,
): Promise<string> {
  return askGit({
    ...access,
    args: [...settings, "commit-tree", tree, ...(parent === null ? [] : ["-p", parent])],
    env: { ...access.env, ...makeIdentityVariables(identity) },
    input: Buffer.from(message),
  });
}

export function makeIdentityVariables({ name, email }: CommitAuthor): Readonly<Record<string, string>> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
