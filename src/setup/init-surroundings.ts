import type { FoundAgent, InitSurroundings } from "../records/initialised.ts";
import type { Config } from "../config/config.ts";
import type { Environment } from "../base/environment.ts";
import { KNOWN_AGENTS, type KnownDriver } from "../checks/pure/project-detection.ts";
import { findCheckedOutBranch } from "../git/checked-out-branch.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findOwnProgram } from "../system/find-program.ts";
import { describeAgentProgram, findMissingProgram } from "../workspace/agent-programs.ts";
import { listMissingCheckPrograms } from "../workspace/missing-check-programs.ts";
import { findProtectedBranch } from "../workspace/series-branch.ts";

interface Place {
  readonly repository: Repository;
  readonly environment: Environment;
}

/** The drivers of the known agents that this machine has. */
export async function listFoundDrivers({ environment, root }: Repository): Promise<readonly KnownDriver[]> {
  const path = environment["PATH"] ?? "";
  const drivers: KnownDriver[] = [];
  for (const { program, driver } of KNOWN_AGENTS)
    if ((await findOwnProgram(program, { path, cwd: root })) !== null) drivers.push(driver);
  return drivers;
}

/** Reported now, before the first tick fails because of it. */
export async function listMissingPrograms(
  { repository: { root }, environment }: Place,
  config: Config,
): Promise<readonly string[]> {
  const path = environment["PATH"];
  const builder = await findMissingProgram("builder", { config, root, path });
  const orchestrator = await findMissingProgram("orchestrator", { config, root, path });
  const { templates } = config.verification;
  const ofChecks = path === undefined ? [] : await listMissingCheckPrograms(templates, { path, cwd: root });
  const sentences = ofChecks.map(
    ({ program, users }) =>
      `The program ${program} of the ${users.length === 1 ? "check" : "checks"} ${users.join(", ")} was not found.`,
  );
  return [builder, orchestrator, ...sentences].filter((sentence) => sentence !== null);
}

/** No agent is started: `relais doctor` does that. */
export async function findSurroundings(place: Place, config: Config): Promise<InitSurroundings> {
  const { repository, environment } = place;
  const path = environment["PATH"];
  const { mode, program: builder } = describeAgentProgram("builder", config);
  const planner = describeAgentProgram("orchestrator", config).program;
  const names = [builder, planner, ...KNOWN_AGENTS.map(({ program }) => program)].filter((name) => name !== null);
  const agents: FoundAgent[] = [];
  if (path !== undefined)
    for (const program of new Set(names))
      agents.push({ program, file: await findOwnProgram(program, { path, cwd: repository.root }) });
  const isThere = (program: string | null) =>
    program === null || agents.some((agent) => agent.program === program && agent.file !== null);
  return {
    branch: await findCheckedOutBranch(repository),
    isProtected: (await findProtectedBranch(repository, config)) !== null,
    agents,
    builder: mode,
    canBuild: isThere(builder),
    canPlan: isThere(planner),
  };
}
