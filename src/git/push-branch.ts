import { isAncestor } from "./find-commit.ts";
import { accessRepository } from "./git.ts";
import { runNetworkGit } from "./git-network.ts";
import type { Repository } from "./repository-layout.ts";

interface Push {
  readonly url: string;
  readonly branch: string;
  readonly commit: string;
  readonly signal: AbortSignal;
}

/**
 * Pushes a branch by compare and swap: it must still be where it was seen, at nothing or at a commit that ours follows.
 * Answers with the reason where it was refused.
 */
export async function pushBranch(repository: Repository, push: Push): Promise<string | null> {
  const { url, branch, commit, signal } = push;
  const access = accessRepository(repository, signal);
  const ref = `refs/heads/${branch}`;
  const there = await findRemoteRef(repository, push);
  if (there === commit) return null;
  if (there !== null && !(await isAncestor(there, commit, repository)))
    return `${branch} has other commits at ${url}; they were kept`;
  const lease = `--force-with-lease=${ref}:${there ?? ""}`;
  const args = ["push", "--quiet", "--no-verify", lease, "--", url, `${commit}:${ref}`];
  const { status, stderr } = await runNetworkGit({ ...access, args, okStatuses: [0, 1, 128] });
  return status === 0 ? null : stderr.replaceAll(/\s+/g, " ").slice(0, 200);
}

async function findRemoteRef(repository: Repository, { url, branch, signal }: Push): Promise<string | null> {
  const args = ["ls-remote", "--refs", "--", url, `refs/heads/${branch}`];
  const { stdout } = await runNetworkGit({ ...accessRepository(repository, signal), args });
  return /^(?<id>[0-9a-f]{40,64})\t/.exec(stdout.toString("latin1"))?.groups?.["id"] ?? null;
}
