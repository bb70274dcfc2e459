import type { Config } from "../../contract/config/config.ts";
import { findCheckedOutBranch } from "../../io/git/checked-out-branch.ts";
import { findProgram } from "../../io/machine/find-program.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { describeAgentProgram } from "../workspace/agent-programs.ts";
import { findProtectedBranch } from "../workspace/protected-branch.ts";

export interface InitSurroundings {
  readonly branch: string | null;
  readonly isProtected: boolean;
  /** `file` is null where this machine lacks the program. */
  readonly agents: readonly FoundAgent[];
  readonly canBuild: boolean;
  readonly canPlan: boolean;
}

interface FoundAgent {
  readonly program: string;
  readonly file: string | null;
}

/** The programs that relais can use without configuration. */
const KNOWN_AGENTS = ["claude", "codex"];

interface InitPlace {
  readonly repository: Repository;
  readonly config: Config;
  readonly path: string | undefined;
}

/** No agent is started: `relais doctor` does that. */
export async function initSurroundings({ repository, config, path }: InitPlace): Promise<InitSurroundings> {
  const builder = describeAgentProgram("builder", config).program;
  const planner = describeAgentProgram("orchestrator", config).program;
  const names = [builder, planner, ...KNOWN_AGENTS].filter((name) => name !== null);
  const agents: FoundAgent[] = [];
  if (path !== undefined)
    for (const program of new Set(names))
      agents.push({ program, file: await findProgram(program, { path, cwd: repository.root }) });
  const isThere = (program: string | null) =>
    program === null || agents.some((agent) => agent.program === program && agent.file !== null);
  return {
    branch: await findCheckedOutBranch(repository),
    isProtected: (await findProtectedBranch({ repository, config })) !== null,
    agents,
    canBuild: isThere(builder),
    canPlan: isThere(planner),
  };
}
