/** Completes the choices of a command: the agent that a person did not name, and whether the named checks exist. */
import { CONFIG_NAME } from "../config/config.ts";
import { findCommandProgram } from "../config/command-program.ts";
import type { Choices, ChosenAgent } from "../config/choices.ts";
import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import { namesAgent } from "../checks/pure/apply-choices.ts";
import { listPlainChecks } from "../checks/pure/verification-plan.ts";
import { findOwnProgram } from "../system/find-program.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";
import { type ChosenConfig, type ProjectCaller, readProject } from "../workspace/read-project.ts";
import type { Project } from "../workspace/workspace.ts";
import { findLoginTrouble } from "./check-agents.ts";

const EXAMPLE = '"builder": { "command": { "command": "PROGRAM", "args": [] } }';

interface ConfigRequest extends ProjectCaller {
  readonly chosen: ChosenConfig;
  /** The agent that a task names; absent if no session needs one, or if nothing names it. */
  readonly taskAgent?: ChosenAgent | null;
  /** Whether an agent is called at all. */
  readonly needsAgent: boolean;
}

export interface CompleteConfig {
  readonly kind: "complete";
  readonly chosen: ChosenConfig;
  readonly project: Project;
}

/** The choices with which the command runs to its end, a found configuration included. */
export async function chooseConfig(request: ConfigRequest): Promise<CompleteConfig | NotReady | Misuse> {
  const { choices } = request.chosen;
  const project = await readProject({ ...request, chosen: { ...request.chosen, choices: {} } }, { needsGit: true });
  if (project.kind === "blocked") return project;
  const mistake = findChoiceMistake(choices, project);
  if (mistake !== null) return mistake;
  const agent = await chooseAgent(project, request);
  if (agent !== null && typeof agent !== "string") return agent;
  const chosen = {
    ...request.chosen,
    choices: { ...choices, ...(agent === null ? {} : { agent }) },
    foundText: project.foundText,
  };
  const complete = await readProject({ ...request, chosen });
  return complete.kind === "blocked" ? complete : { kind: "complete", chosen, project: complete };
}

function findChoiceMistake({ agent, checks = [] }: Choices, { config }: Project): Misuse | null {
  if (agent === "command" && findCommandProgram("builder", config.builder).settings === undefined)
    return reportMisuse(
      `--agent command needs \`builder.command\`: make ${CONFIG_NAME} with \`relais init\`, and add ${EXAMPLE}`,
    );
  const known = listPlainChecks(config.verification);
  const unknown = checks.find((id) => !known.includes(id));
  if (unknown === undefined) return null;
  const choice = known.length === 0 ? "this project has none" : `there is ${known.join(", ")}`;
  return reportMisuse(`--check: "${unknown}" is no check that runs without parameters; ${choice}`);
}

/** The agent to set, or null where the configuration decides. */
async function chooseAgent(
  project: Project,
  { chosen, taskAgent = null, needsAgent }: ConfigRequest,
): Promise<ChosenAgent | NotReady | null> {
  const { agent = null } = chosen.choices;
  if (agent !== null || !needsAgent || namesAgent(project.baseText)) return agent;
  if (taskAgent !== null) return project.isFound ? taskAgent : null;
  const agents = await listAgents(project);
  return project.isFound ? pickAgent(agents) : pickOtherAgent(agents);
}

function pickAgent(agents: readonly KnownAgent[]): ChosenAgent | NotReady {
  const [only, ...others] = listUsable(agents);
  if (only === undefined) return refuseNoAgent(agents);
  return others.length === 0 ? only.agent : refuseSeveralAgents([only, ...others]);
}

/** A written configuration has a documented default; another agent is used where only that one is ready. */
function pickOtherAgent(agents: readonly KnownAgent[]): ChosenAgent | null {
  const [only, ...others] = listUsable(agents);
  return only === undefined || others.length > 0 || only.agent === "claude_code" ? null : only.agent;
}

const listUsable = (agents: readonly KnownAgent[]) => agents.filter(({ state }) => state === "usable");

interface KnownAgent {
  readonly agent: ChosenAgent;
  readonly program: string;
  readonly option: string;
  readonly login: string;
  readonly state: "missing" | "logged_out" | "usable";
}

/** The agents that need no configuration. */
async function listAgents({ config, repository }: Project): Promise<readonly KnownAgent[]> {
  const known = [
    {
      agent: "claude_code",
      program: config.claude_code_cli.command,
      option: "claude",
      login: "start `claude` and type /login, or set ANTHROPIC_API_KEY",
    },
    {
      agent: "codex",
      program: config.builder.codex.command,
      option: "codex",
      login: "type `codex login`, or set CODEX_API_KEY",
    },
  ] as const;
  return Promise.all(
    known.map(async (one) => {
      const places = { path: repository.environment["PATH"] ?? "", cwd: repository.root };
      if ((await findOwnProgram(one.program, places)) === null) return { ...one, state: "missing" as const };
      const builder = { ...config.roles.builder, driver: one.agent };
      const call = { role: "builder", config: { ...config, roles: { ...config.roles, builder } } } as const;
      const trouble = await findLoginTrouble(call, { repository });
      return { ...one, state: trouble === null ? ("usable" as const) : ("logged_out" as const) };
    }),
  );
}

function refuseSeveralAgents(agents: readonly KnownAgent[]): NotReady {
  const names = agents.map(({ option }) => option);
  return refuseNotReady(
    "agent_not_chosen",
    `Several agents are ready here: ${names.join(" and ")}.`,
    `Choose one: ${names.map((name) => `\`--agent ${name}\``).join(" or ")}, or set \`roles.builder.driver\` in ${CONFIG_NAME}.`,
  );
}

function refuseNoAgent(agents: readonly KnownAgent[]): NotReady {
  const loggedOut = agents.filter(({ state }) => state === "logged_out");
  if (loggedOut.length === 0)
    return refuseNotReady(
      "agent_not_found",
      "No agent was found: neither claude nor codex is on the PATH.",
      "Install Claude Code or Codex and log in; or type `relais init`, set `builder.command` and use `--agent command`.",
    );
  const programs = loggedOut.map(({ program }) => program);
  return refuseNotReady(
    "not_logged_in",
    `No agent is logged in: ${programs.join(" and ")} ${programs.length === 1 ? "is" : "are"} installed, without a login.`,
    `Log in. ${loggedOut.map(({ option, login }) => `For ${option}: ${login}.`).join(" ")}`,
  );
}
