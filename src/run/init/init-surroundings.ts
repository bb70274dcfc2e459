import type { Config } from "../../contract/config/config.ts";
import { findCheckedOutBranch } from "../../io/git/checked-out-branch.ts";
import { findProgram } from "../../io/machine/find-program.ts";
import type { Repository } from "../../io/git/repository-layout.ts";
import { describeAgentProgram } from "../workspace/agent-programs.ts";
import { findProtectedBranch } from "../workspace/protected-branch.ts";

/** What a person who sets relais up should know of the place before the first tick. */
export interface InitSurroundings {
  /** Null where HEAD is detached. */
  readonly branch: string | null;
  readonly isProtected: boolean;
  /** Programs of agents, and the file that would be started; null where this machine has none of that name. */
  readonly agents: readonly FoundAgent[];
  /** Whether somebody is there to build, and somebody to plan. */
  readonly canBuild: boolean;
  readonly canPlan: boolean;
}

interface FoundAgent {
  readonly program: string;
  readonly file: string | null;
}

/** The programs that relais knows how to talk to without any further word. */
const KNOWN_AGENTS = ["claude", "codex"];

interface InitPlace {
  readonly repository: Repository;
  readonly config: Config;
  readonly path: string | undefined;
}

/** Looks at the branch and for the agents. None of them is started: `relais doctor` asks them how they are. */
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
