import { GOAL_LIMITS, type GoalLedger } from "../../records/goal.ts";
import { shorten } from "../../base/words.ts";
import type { GoalState } from "./goal-state.ts";

export function locateGoalFolder(workspaceDir: string, goalId: string): string {
  return `${workspaceDir}/goals/${goalId}`;
}

export function locateReceipt(folder: string, turn: number): string {
  return `${folder}/${nameGoalStage(turn)}.md`;
}

export function nameGoalStage(turn: number): string {
  return `work-turn-${turn}`;
}

export function summariseReceipt(text: string): string {
  return shorten(text.replaceAll(/\s+/gu, " ").trim(), GOAL_LIMITS.summaryChars);
}

/** Null before the goal has started. */
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
