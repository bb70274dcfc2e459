/** Creates a branch from the commits of a goal, and the text of a pull request. Nothing is pushed or checked out. */
import { join } from "node:path";
import type { GoalLedger } from "../records/goal.ts";
import { commitIdentity } from "../store/commit-identity.ts";
import { squashCommit } from "../store/squash-commit.ts";
import { addBranch, findBranchInTheWay, isBranchName } from "../store/branches.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import { openPublication } from "../workspace/publication.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { LockedWorkspace, WorkspaceRequest } from "../workspace/workspace.ts";
import { findGoal, type FoundGoal } from "./find-goal.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";

interface HandOffRequest extends WorkspaceRequest {
  readonly goal: string | null;
  readonly isSquashed: boolean;
  /** Null chooses a name by the goal's id. */
  readonly branch: string | null;
  readonly render: (ledger: GoalLedger) => { readonly title: string; readonly text: string };
}

interface HandedOff {
  readonly kind: "handed";
  readonly goalId: string;
  readonly branch: string;
  readonly commit: string;
  /** From the root of the repository. */
  readonly textPath: string;
  readonly problems: readonly string[];
}

export async function handOffGoal(request: HandOffRequest): Promise<HandedOff | Misuse | CommandFailure> {
  const found = await findGoal(request, request.goal);
  if (found.kind !== "goal") return found;
  return withWorkspace(request, "decide", (workspace) => handOff(workspace, found, request));
}

async function handOff(
  { repository, config }: LockedWorkspace,
  found: FoundGoal,
  request: HandOffRequest,
): Promise<HandedOff | Misuse | Refusal> {
  const { goalId, commits, begunAt, ledger, ledgerPath } = found;
  const last = commits.at(-1);
  if (last === undefined || begunAt === null)
    return refuse({
      cause: "nothing_committed",
      message: `The goal ${goalId} has no commits.`,
      next: "See `relais goal report`.",
    });
  const branch = request.branch ?? `${config.git.branch_prefix}handoff-${goalId}`;
  if (!(await isBranchName(repository, branch)))
    return reportMisuse(`--branch: "${branch}" is not a valid branch name`);
  const inTheWay = await findBranchInTheWay(repository, branch);
  if (inTheWay !== null)
    return refuse({
      cause: "branch_exists",
      message:
        inTheWay === branch
          ? `The branch ${branch} exists already.`
          : `The branch ${branch} conflicts with the branch ${inTheWay}.`,
      next: "Choose another name with --branch.",
    });
  const { title, text } = request.render(ledger);
  const identity = await commitIdentity(repository, { signal: request.signal });
  const message = `${title}\n\nRelais-Goal: ${goalId}\n`;
  const commit = request.isSquashed
    ? await squashCommit({ repository, from: last, onto: begunAt, message, identity })
    : last;
  await addBranch({ repository, branch, commit });
  const folder = ledgerPath.slice(0, ledgerPath.lastIndexOf("/"));
  const publication = await openPublication(repository.root, join(repository.root, folder));
  await publication.text("PULL_REQUEST.md", `# ${title}\n\n${text}`);
  const { problems } = publication;
  return { kind: "handed", goalId, branch, commit, textPath: `${folder}/PULL_REQUEST.md`, problems };
}
