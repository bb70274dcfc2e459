import type { Config } from "../config/config.ts";
import type { Head } from "../records/evidence.ts";
import { findBranchInTheWay, createBranch } from "../store/branches.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findCheckedOutBranch } from "../git/checked-out-branch.ts";
import { type AcceptedRecord, findLastAccepted } from "../journal/pure/journal-runs.ts";
import { isFolder } from "../system/read-files.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";
import { findFormerRoot, listRoots } from "./lines-of-repository.ts";
import type { SeriesOptions } from "../records/series.ts";
import { makeSlug } from "../base/words.ts";
import { type Refusal, refuse } from "../records/command-failure.ts";
import type { LockedWorkspace } from "./workspace.ts";

export interface BranchRequest {
  readonly repository: Repository;
  readonly config: Config;
  /** Its own, where it may not commit on the one that is checked out. */
  readonly ownBranch: string;
  readonly head: Head & { readonly commit: string };
  /** Whether the series always has its own branch. */
  readonly hasOwnBranch?: boolean | undefined;
  /** Whether a person decided to commit, so that the branch is theirs to choose. */
  readonly commitsHere?: boolean | undefined;
}

const ID_CHARS = 4;

/** The branch of a series, or of a single tick: readable, and told from others by the end of its id. */
export function nameOwnBranch({ git }: Config, title: string, seriesId: string): string {
  return `${git.branch_prefix}${[makeSlug(title), seriesId.slice(-ID_CHARS)].filter((part) => part !== "").join("-")}`;
}

/** What a person reads about a series: its objective, the name of its campaign, or its command. */
export function nameSeries({ goal, command }: SeriesOptions): string {
  return goal?.objective ?? command.replace(/^campaign /u, "");
}

/**
 * The existing branch that prevents a branch for the series.
 *
 * Branches are files, so `relais` and `relais/...` cannot both exist.
 */
export async function findSeriesBranchInTheWay(request: BranchRequest): Promise<string | null> {
  if (nameBranch(request.head.text) === request.ownBranch || !(await wantsOwnBranch(request))) return null;
  return findBranchInTheWay(request.repository, request.ownBranch);
}

async function wantsOwnBranch(request: BranchRequest): Promise<boolean> {
  if (request.commitsHere === true) return false;
  return request.hasOwnBranch === true || (await findProtectedBranch(request.repository, request.config)) !== null;
}

const nameBranch = (headText: string): string => headText.replace(/^ref: refs\/heads\//, "");

/** The text of HEAD to commit on. Work on a protected branch gets its own branch. */
export async function readSeriesBranch(request: BranchRequest): Promise<string> {
  const { repository, ownBranch: branch, head } = request;
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
