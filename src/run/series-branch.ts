import type { Config } from "../contract/config.ts";
import type { Head } from "../contract/evidence.ts";
import { createBranch } from "../io/create-branch.ts";
import type { Repository } from "../io/repository-layout.ts";

export interface BranchRequest {
  readonly repository: Repository;
  readonly config: Config;
  readonly seriesId: string;
  readonly head: Head & { readonly commit: string };
}

/** The text of HEAD to commit on. A protected branch is left alone: the work gets a branch of its own. */
export async function seriesBranch(request: BranchRequest): Promise<string> {
  const { repository, config, seriesId, head } = request;
  const current = head.text.replace(/^ref: refs\/heads\//, "");
  if (!config.git.protected_branches.includes(current)) return head.text;
  const branch = `${config.git.branch_prefix}${seriesId}`;
  await createBranch({ repository, branch, commit: head.commit });
  return `ref: refs/heads/${branch}`;
}
