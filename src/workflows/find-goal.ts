/** Reads goals from the journal, without a lock. */
import type { GoalFacts } from "../records/goal-answer.ts";
import type { GoalSettings } from "../records/goal.ts";
import type { JournalLine } from "../records/event.ts";
import { locateGoalFolder, findGoalLedger } from "./pure/goal-ledger.ts";
import { type CommandFailure, type Refusal, refuse } from "../records/command-failure.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { foldGoalState, LEDGER_NAME } from "./publish-goal.ts";
import type { Caller } from "../base/environment.ts";

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
