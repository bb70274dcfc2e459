import { join } from "node:path";
import { GoalLedger, type GoalSettings } from "../records/goal.ts";
import { foldGoal } from "./pure/fold-goal.ts";
import { locateGoalFolder, findGoalLedger, nameGoalStage } from "./pure/goal-ledger.ts";
import { type GoalState, NEW_GOAL } from "./pure/goal-state.ts";
import { isFile } from "../system/read-files.ts";
import type { Workspace, WorkspaceSnapshot, LockedWorkspace, WorkspaceRequest } from "../workspace/workspace.ts";
import { openPublication } from "../workspace/publish.ts";
import type { PublishedSeries } from "./series-loop.ts";
import type { GoalFacts } from "../records/setup-answers.ts";
import type { JournalLine } from "../records/event.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import type { Caller } from "../base/environment.ts";
import { commitIdentity } from "../store/commit-identity.ts";
import { squashCommit, addBranch, findBranchInTheWay, isBranchName } from "../store/branches.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";

export type RenderGoal = (ledger: GoalLedger, ledgerPath: string) => string;

export const LEDGER_NAME = "goal-ledger.json";

export function foldGoalState({ lines, seriesId }: PublishedSeries): GoalState {
  return lines.filter(({ series_id }) => series_id === seriesId).reduce(foldGoal, NEW_GOAL);
}

export async function publishGoal(
  { repository: { root }, config }: Pick<Workspace, "repository" | "config">,
  series: PublishedSeries,
  render: RenderGoal,
): Promise<readonly string[]> {
  const state = foldGoalState(series);
  const folder = locateGoalFolder(config.workspace_dir, series.seriesId);
  const ledger = findGoalLedger(state, { goalId: series.seriesId, folder });
  if (ledger === null) return [];
  const directory = join(root, folder);
  const publication = await openPublication(root, directory);
  await publication.document(LEDGER_NAME, GoalLedger, ledger);
  for (const { turn, text } of state.receipts) {
    const name = `${nameGoalStage(turn)}.md`;
    if (!isFile(join(directory, name))) await publication.text(name, `${text}\n`);
  }
  await publication.text("REPORT.md", render(ledger, `${folder}/${LEDGER_NAME}`));
  return publication.problems;
}

/** Reads goals from the journal, without a lock. */

export interface FoundGoal extends GoalFacts {
  readonly kind: "goal";
  readonly goalId: string;
  readonly settings: GoalSettings;
  readonly isReviewDue: boolean;
  readonly begunAt: string | null;
}

/** The newest goal of this worktree, or the one whose id starts or ends with `wanted`. */
export function findGoal(place: Caller, wanted: string | null): Promise<FoundGoal | CommandFailure> {
  return withSnapshot(place, (workspace) => chooseGoal(workspace, wanted));
}

function chooseGoal(workspace: WorkspaceSnapshot, wanted: string | null): FoundGoal | Refusal {
  const around = { ...workspace, lines: listRepositoryLines(workspace.lines, workspace.repository) };
  const ids = listGoalIds(around);
  const matching = wanted === null ? ids : ids.filter((id) => id.startsWith(wanted) || id.endsWith(wanted));
  const goalId = matching.at(-1);
  const found = goalId === undefined ? null : readGoal(around, goalId);
  if (found !== null) return found;
  const message = wanted === null ? "There is no goal here yet." : `There is no goal ${wanted} here.`;
  return refuse({ cause: "no_goal", message, next: 'Start one with `relais goal "<objective>"`.' });
}

function listGoalIds({ lines, repository }: WorkspaceSnapshot): readonly string[] {
  const ids = lines.flatMap(({ event, series_id }) =>
    event.type === "tick_started" && event.workflow === "goal" && event.worktree === repository.root ? [series_id] : [],
  );
  return [...new Set(ids)];
}

function readGoal({ lines, config }: WorkspaceSnapshot, goalId: string): FoundGoal | null {
  const own = lines.filter(({ series_id }) => series_id === goalId);
  const state = foldGoalState({ lines: own, seriesId: goalId });
  const folder = locateGoalFolder(config.workspace_dir, goalId);
  const ledger = findGoalLedger(state, { goalId, folder });
  if (ledger === null || state.settings === null) return null;
  return {
    kind: "goal",
    goalId,
    ledger,
    settings: state.settings,
    ledgerPath: `${folder}/${LEDGER_NAME}`,
    isReviewDue: state.isReviewDue,
    lastEnd: findLastEnd(own),
    ...listCheckpoints(own),
  };
}

function findLastEnd(lines: readonly JournalLine[]): FoundGoal["lastEnd"] {
  const event = lines.at(-1)?.event;
  return event?.type === "series_ended" ? { message: event.message, hint: event.hint } : null;
}

function listCheckpoints(lines: readonly JournalLine[]): Pick<FoundGoal, "branch" | "commits" | "begunAt"> {
  const settled = lines.flatMap(({ event }) => (event.type === "settled" ? [event] : []));
  const passed = lines.find(({ event }) => event.type === "preflight_passed")?.event;
  return {
    branch: settled.findLast(({ branch }) => branch !== null)?.branch ?? null,
    commits: settled.flatMap(({ commit }) => commit ?? []),
    begunAt: passed?.type === "preflight_passed" ? passed.base_commit : null,
  };
}

/** Creates a branch from the commits of a goal, and the text of a pull request. Nothing is pushed or checked out. */

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
