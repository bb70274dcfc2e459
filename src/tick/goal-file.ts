/** GOAL.md, which an orchestrator plans from. */
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { isEmptyText } from "../base/words.ts";
import { readNow } from "../system/read-files.ts";

const GOAL_BYTES_MAX = 1024 * 1024;

export function isGoalEmpty(workspace: string): boolean {
  return isEmptyText(readGoal(workspace) ?? "");
}

/** Why there is no goal. */
export function describeGoal(workspace: string, { workspace_dir }: Pick<Config, "workspace_dir">): string {
  return `${workspace_dir}/GOAL.md ${readGoal(workspace) === null ? "does not exist" : "is empty"}.`;
}

function readGoal(workspace: string): string | null {
  return readNow(join(workspace, "GOAL.md"), { bytesMax: GOAL_BYTES_MAX })?.toString("utf8") ?? null;
}
