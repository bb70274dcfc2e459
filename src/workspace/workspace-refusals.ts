import { join } from "node:path";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { type Config, CONFIG_NAME } from "../config/config.ts";
import type { StateDirectory } from "../journal/state-directory.ts";
import { WORKSPACE_MISSING, findWorkspaceProblem } from "../journal/workspace-folder.ts";
import { describeGiveBack } from "./journal-state.ts";

export function refuseUnusableState({ path, reason }: Extract<StateDirectory, { kind: "unusable" }>): NotReady {
  return refuseNotReady(
    "state_unusable",
    `The state directory ${path} cannot be used: ${reason}.`,
    `${describeGiveBack(path)} Or set XDG_STATE_HOME to another folder outside the repository.`,
  );
}

/** A link or a file in the place of the workspace is refused; a missing workspace is not. */
export function findReplacedWorkspace(root: string, { workspace_dir }: Config): NotReady | null {
  const problem = findWorkspaceProblem(root, workspace_dir);
  if (problem === null || problem === WORKSPACE_MISSING) return null;
  return refuseWorkspace(join(root, workspace_dir), problem);
}

function refuseWorkspace(folder: string, problem: string): NotReady {
  return refuseNotReady(
    "workspace_unusable",
    `The workspace ${folder} cannot be used: ${problem}.`,
    `Fix that, or set workspace_dir in ${CONFIG_NAME} to another folder.`,
  );
}
