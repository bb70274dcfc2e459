import { GOAL_LIMITS, type GoalLedger } from "../../contract/workflows/goal.ts";
import { shorten } from "../words/shorten.ts";
import type { GoalState } from "./goal-state.ts";

/** Where the files of a goal are, from the root of the repository. */
export function locateGoalFolder(workspaceDir: string, goalId: string): string {
  return `${workspaceDir}/goals/${goalId}`;
}

/** The file with the whole receipt of a turn. */
export function locateReceipt(folder: string, turn: number): string {
  return `${folder}/${nameGoalStage(turn)}.md`;
}

/** The name of a worker's turn. */
export function nameGoalStage(turn: number): string {
  return `work-turn-${turn}`;
}

/** A receipt as one line that others can afford to read. */
export function summariseReceipt(text: string): string {
  return shorten(text.replaceAll(/\s+/gu, " ").trim(), GOAL_LIMITS.summaryChars);
}

/** The ledger of a goal; null before it has begun. */
export function findGoalLedger(
  state: GoalState,
  { goalId, folder }: { readonly goalId: string; readonly folder: string },
): GoalLedger | null {
  const { settings, createdAt, updatedAt } = state;
  if (settings === null || createdAt === null || updatedAt === null) return null;
  const { objective, ...rest } = settings;
  return {
    goal_id: goalId,
    objective,
    status: state.status,
    turns: state.turns,
    created_at: createdAt,
    updated_at: updatedAt,
    settings: rest,
    receipts: state.receipts.map(({ turn, text }) => ({
      turn,
      stage: nameGoalStage(turn),
      artifact_path: locateReceipt(folder, turn),
      summary: summariseReceipt(text),
    })),
    reviews: [...state.reviews],
    blockers: [...state.blockers],
    decisions: [...state.decisions],
    lifecycle: [...state.lifecycle],
  };
}
