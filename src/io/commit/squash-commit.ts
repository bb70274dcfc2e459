import { type CommitIdentity, makeIdentityVariables } from "./commit-identity.ts";
import { accessRepository, runGit } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";

interface Squash {
  readonly repository: Repository;
  readonly from: string;
  readonly onto: string;
  readonly message: string;
  readonly identity: CommitIdentity;
}

/** Writes one commit with the content of `from` and `onto` as its parent; no branch leads to it yet. */
export async function squashCommit({ repository, from, onto, message, identity }: Squash): Promise<string> {
  const { stdout } = await runGit({
    ...accessRepository(repository),
    args: ["commit-tree", `${from}^{tree}`, "-p", onto],
    env: makeIdentityVariables(identity),
    input: Buffer.from(message),
  });
  return stdout.toString("latin1").trim();
}
