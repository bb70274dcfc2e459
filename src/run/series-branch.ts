import type { Config } from "../contract/config.ts";
import type { Head } from "../contract/evidence.ts";
import { branchInTheWay } from "../io/add-branch.ts";
import { createBranch } from "../io/create-branch.ts";
import type { Repository } from "../io/repository-layout.ts";
import { type Unready, unready } from "./ground.ts";

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
  const { repository, head } = request;
  const branch = ownBranch(request);
  if (branch === null) return head.text;
  await createBranch({ repository, branch, commit: head.commit });
  return `ref: refs/heads/${branch}`;
}

/** Git knows no branch below another one, which is better found before anybody is paid for what goes there. */
export async function seriesBranchRefusal(request: BranchRequest): Promise<Unready | null> {
  const branch = ownBranch(request);
  const inTheWay = branch === null ? null : await branchInTheWay(request.repository, branch);
  if (branch === null || inTheWay === null) return null;
  const message = `The commits would go to the branch ${branch}, which cannot be made beside the branch ${inTheWay}.`;
  const remedy = `\`git branch -m ${inTheWay} NAME\`, choose another \`git.branch_prefix\`, or \`git switch -c NAME\` and work there.`;
  return { ...unready("branch_in_the_way", message, remedy), code: "BLOCKED_PROTECTED_BRANCH" };
}

/** The branch that is to be made; null where the commits go to the one that is there. */
function ownBranch({ config, seriesId, head, hasOwnBranch }: BranchRequest): string | null {
  const current = head.text.replace(/^ref: refs\/heads\//, "");
  const branch = `${config.git.branch_prefix}${seriesId}`;
  const isProtected = config.git.protected_branches.includes(current);
  return current === branch || !(isProtected || hasOwnBranch === true) ? null : branch;
}
