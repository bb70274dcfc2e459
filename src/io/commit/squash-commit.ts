import { type CommitIdentity, makeIdentityVariables } from "./commit-identity.ts";
import { runGit } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";

interface Squash {
  readonly repository: Repository;
  /** The commit whose content is taken over. */
  readonly from: string;
  /** The commit that it follows then. */
  readonly onto: string;
  readonly message: string;
  readonly identity: CommitIdentity;
}

/** Writes one commit with the content of another; no branch leads to it yet. */
export async function squashCommit({ repository, from, onto, message, identity }: Squash): Promise<string> {
  const { stdout } = await runGit({
    args: ["commit-tree", `${from}^{tree}`, "-p", onto],
    cwd: repository.root,
    environment: repository.environment,
    gitDir: repository.gitDir,
    env: makeIdentityVariables(identity),
    input: Buffer.from(message),
    outputBytesMax: 4096,
  });
  return stdout.toString("latin1").trim();
}
