import type { Config } from "../config/config.ts";
import type { Head } from "../records/evidence.ts";
import { findBranchInTheWay, createBranch } from "../store/branches.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findCheckedOutBranch } from "../git/checked-out-branch.ts";
import { type AcceptedRecord, findLastAccepted } from "../journal/pure/journal-runs.ts";
import { isFolder } from "../system/read-files.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { findFormerRoot, listRoots } from "./lines-of-repository.ts";
import { type Refusal, refuse } from "../records/command-failure.ts";
import type { LockedWorkspace } from "./workspace.ts";

export interface BranchRequest {
  readonly repository: Repository;
  readonly config: Config;
  readonly seriesId: string;
  readonly head: Head & { readonly commit: string };
  /** Whether the series always has its own branch. */
  readonly hasOwnBranch?: boolean | undefined;
}

/** Has the form of an id: only a branch above it can be in the way. */
const ANY_SERIES = "00000000T000000Z-00000000";

/**
 * The existing branch that prevents a branch for the series.
 *
 * Branches are files, so `relais` and `relais/...` cannot both exist.
 */
export async function findSeriesBranchInTheWay(request: Omit<BranchRequest, "seriesId">): Promise<string | null> {
  if (!(await wantsOwnBranch(request))) return null;
  const { repository, config } = request;
  return findBranchInTheWay(repository, `${config.git.branch_prefix}${ANY_SERIES}`);
}

async function wantsOwnBranch(request: Omit<BranchRequest, "seriesId">): Promise<boolean> {
  return request.hasOwnBranch === true || (await findProtectedBranch(request.repository, request.config)) !== null;
}

const nameBranch = (headText: string): string => headText.replace(/^ref: refs\/heads\//, "");

/** The text of HEAD to commit on. Work on a protected branch gets its own branch. */
export async function readSeriesBranch(request: BranchRequest): Promise<string> {
  const { repository, config, seriesId, head } = request;
  const branch = `${config.git.branch_prefix}${seriesId}`;
  if (nameBranch(head.text) === branch || !(await wantsOwnBranch(request))) return head.text;
  await createBranch({ repository, branch, commit: head.commit });
  return `ref: refs/heads/${branch}`;
}

/**
 * The protected branch that a commit would move.
 *
 * A branch may be another name for `main`, so git resolves HEAD.
 */
export async function findProtectedBranch(repository: Repository, config: Config): Promise<string | null> {
  const branch = await findCheckedOutBranch(repository);
  return branch !== null && config.git.protected_branches.includes(branch) ? branch : null;
}

/** The tick whose change can be decided here; `absent` is the message if there is none. */
export function findLastAcceptedHere(workspace: LockedWorkspace, absent: string): AcceptedRecord | Refusal {
  const { repository, stateDirectory, journal } = workspace;
  const record = findLastAccepted(journal, listRoots(journal, repository));
  if (record === null) return refuse({ cause: "nothing_accepted", message: absent, next: "See `relais status`." });
  const { runId } = record;
  const former = findFormerRoot(record, repository);
  // A moved linked worktree keeps its state directory; a moved repository gets a new one.
  if (former === null || isFolder(locateRunDirectory(stateDirectory, runId))) return record;
  const message = `The change of ${runId} was made when this repository was in ${former}; its records belong to that folder.`;
  const next = `Move the repository back to ${former} and decide there, or commit or undo it with git.`;
  return refuse({ cause: "repository_moved", runId, message, next });
}
