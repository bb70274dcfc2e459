import type { Config } from "../contract/config.ts";
import type { Head } from "../contract/evidence.ts";
import { createBranch } from "../io/create-branch.ts";
import { findCommit } from "../io/find-commit.ts";
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
  const { repository, config, seriesId, head } = request;
  const branch = `${config.git.branch_prefix}${seriesId}`;
  if (branchOf(head) === branch || !leavesBranch(request)) return head.text;
  await createBranch({ repository, branch, commit: head.commit });
  return `ref: refs/heads/${branch}`;
}

const branchOf = ({ text }: Head): string => text.replace(/^ref: refs\/heads\//, "");

interface Leaving extends Pick<BranchRequest, "config" | "hasOwnBranch"> {
  readonly head: Head;
}

function leavesBranch({ config, head, hasOwnBranch }: Leaving): boolean {
  return hasOwnBranch === true || config.git.protected_branches.includes(branchOf(head));
}

/** The branch that keeps git from making one for the series: a name is a branch or a folder of branches, never both. */
export async function branchInTheWay(
  request: Leaving & Pick<BranchRequest, "repository">,
): Promise<string | null> {
  if (!leavesBranch(request)) return null;
  const { repository, config } = request;
  const parts = config.git.branch_prefix.split("/").slice(0, -1);
  const folders = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  for (const folder of folders)
    if ((await findCommit(`refs/heads/${folder}`, { repository })) !== null) return folder;
  return null;
}
