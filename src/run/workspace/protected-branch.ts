import type { Config } from "../../contract/config/config.ts";
import { findCheckedOutBranch } from "../../io/git/checked-out-branch.ts";
import type { Repository } from "../../io/git/repository-layout.ts";

interface BranchQuestion {
  readonly repository: Repository;
  readonly config: Config;
}

/**
 * The protected branch that a commit would move.
 *
 * A branch may be another name for `main`, so git resolves HEAD.
 */
export async function findProtectedBranch({ repository, config }: BranchQuestion): Promise<string | null> {
  const branch = await findCheckedOutBranch(repository);
  return branch !== null && config.git.protected_branches.includes(branch) ? branch : null;
}
