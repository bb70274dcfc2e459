import { join } from "node:path";
import { describeAgentProgram, findMissingProgram } from "../workspace/agent-programs.ts";
import { describeGoal, isGoalEmpty } from "../tick/goal-file.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import type { StatusRequest } from "./status-request.ts";

/** Why a tick needs a task file; null where the orchestrator can plan. Nobody is asked whether it is logged in. */
export async function findPlanTrouble(snapshot: WorkspaceSnapshot, request: StatusRequest): Promise<string | null> {
  const { config, configFile, repository } = snapshot;
  if (configFile.kind === "unusable") return null;
  const problem = await findDriverProblem(snapshot, request);
  if (problem !== null) return `The orchestrator cannot be used: ${problem}.`;
  const place = { root: repository.root, path: repository.environment["PATH"], config };
  const missing = await findMissingProgram("orchestrator", place);
  if (missing !== null) return missing;
  const workspace = join(repository.root, config.workspace_dir);
  return isGoalEmpty(workspace) ? describeGoal(workspace, config) : null;
}

/** Every configuration is good enough for Claude Code; the other drivers are loaded to say. */
async function findDriverProblem(
  { config, repository }: WorkspaceSnapshot,
  { player }: StatusRequest,
): Promise<string | null> {
  if (describeAgentProgram("orchestrator", config).mode === "claude_code") return null;
  const { chooseDriver } = await import("../agents/choose-driver.ts");
  const choice = await chooseDriver({ config, repository, player, role: "orchestrator" });
  return choice.kind === "refused" ? choice.problem : null;
}
