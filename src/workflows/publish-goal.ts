import { join } from "node:path";
import { GoalLedger } from "../records/goal.ts";
import { foldGoal } from "./pure/fold-goal.ts";
import { locateGoalFolder, findGoalLedger, nameGoalStage } from "./pure/goal-ledger.ts";
import { type GoalState, NEW_GOAL } from "./pure/goal-state.ts";
import { isFile } from "../system/is-file.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { openPublication } from "../workspace/publication.ts";
import type { PublishedSeries } from "./series-loop.ts";

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
