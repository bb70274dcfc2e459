import type { Config } from "../contract/config.ts";
import type { Head } from "../contract/evidence.ts";
import { createBranch } from "../io/create-branch.ts";
import type { Repository } from "../io/repository-layout.ts";

export interface BranchRequest {
  readonly repository: Repository;
  readonly config: Config;
  readonly seriesId: string;
  readonly head: Head & { readonly commit: string };
  /** Whether the series works on a branch of its own wherever it began. */
  readonly hasOwnBranch?: boolean | undefined;
}

/** The text of HEAD to commit on. A protected branch is left alone: the work gets a branch of its own. */
export async function seriesBranch(request: BranchRequest): Promise<string> {
  const { repository, config, seriesId, head, hasOwnBranch } = request;
  const current = head.text.replace(/^ref: refs\/heads\//, "");
  const branch = `${config.git.branch_prefix}${seriesId}`;
  const isProtected = config.git.protected_branches.includes(current);
  if (current === branch || !(isProtected || hasOwnBranch === true)) return head.text;
  await createBranch({ repository, branch, commit: head.commit });
  return `ref: refs/heads/${branch}`;
}
