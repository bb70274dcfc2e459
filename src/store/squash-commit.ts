import type { CommitIdentity } from "./commit-identity.ts";
import { commitTree } from "../git/commit-tree.ts";
import { accessRepository } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";

interface Squash {
  readonly repository: Repository;
  readonly from: string;
  readonly onto: string;
  readonly message: string;
  readonly identity: CommitIdentity;
}

/** Writes one commit with the content of `from` and `onto` as its parent; no branch leads to it yet. */
export function squashCommit({ repository, from, onto, message, identity }: Squash): Promise<string> {
  return commitTree(accessRepository(repository), { tree: `${from}^{tree}`, parent: onto, message, identity });
}
