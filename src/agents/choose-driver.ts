import type * as v from "valibot";
import type { Driver as DriverName } from "../contract/agent.ts";
import type { Config } from "../contract/config.ts";
import { unreachable } from "../contract/invariant.ts";
import type { Repository } from "../io/repository-layout.ts";
import { commandDriver, commandProblem } from "./command.ts";
import type { Driver } from "./driver.ts";
import { chooseScript, type ScriptPlayer, scriptedDriver } from "./scripted.ts";

type Name = v.InferOutput<typeof DriverName>;

/** The limits that the configuration gives to a role; null is "none of its own". */
interface RoleLimits {
  readonly timeoutMs: number | null;
  readonly idleTimeoutMs: number | null;
}

export type DriverChoice =
  | { readonly kind: "ready"; readonly driver: Driver; readonly limits: RoleLimits }
  /** The configuration cannot be used; `problem` is one sentence without a full stop. */
  | { readonly kind: "refused"; readonly driver: Name; readonly problem: string };

export interface DriverRequest {
  readonly config: Config;
  readonly repository: Repository;
  readonly player: ScriptPlayer;
}

/** The driver that plays the builder unless a task brings a patch; what is set for the role wins. */
function builderDriverName({ roles, builder }: Config): Name {
  if (roles.builder.driver !== undefined) return roles.builder.driver;
  return builder.default_mode === "cursor" ? "command" : builder.default_mode;
}

/** Makes the configured builder, and finds out whether it can be used before anything is begun. */
export async function chooseDriver(request: DriverRequest): Promise<DriverChoice> {
  const { builder } = request.config;
  return choose(request, {
    role: "builder",
    name: builderDriverName(request.config),
    command: builder.cursor,
    commandKey: "builder.cursor",
    script: builder.scripted,
  });
}

/** The same for whoever plans. A script has to be named: there is no task yet that could carry one. */
export async function chooseOrchestrator(request: DriverRequest): Promise<DriverChoice> {
  const { builder, orchestrator, roles } = request.config;
  const name = roles.orchestrator.driver ?? "claude_code";
  if (name === "scripted" && orchestrator.scripted.script === null)
    return refused(name, "the driver `scripted` needs `orchestrator.scripted.script` with the file to play");
  return choose(request, {
    role: "orchestrator",
    name,
    command: orchestrator.cursor ?? builder.cursor,
    commandKey: orchestrator.cursor === undefined ? "builder.cursor" : "orchestrator.cursor",
    script: orchestrator.scripted,
  });
}

/** What the configuration says about the driver of one role. */
interface RoleChoice {
  readonly role: "builder" | "orchestrator";
  readonly name: Name;
  readonly command: Config["builder"]["cursor"];
  readonly commandKey: string;
  readonly script: Config["builder"]["scripted"];
}

async function choose(request: DriverRequest, choice: RoleChoice): Promise<DriverChoice> {
  const { name, role } = choice;
  switch (name) {
    case "command":
      return chooseCommand(request, choice);
    case "scripted":
      return chooseScripted(request, choice);
    case "claude_code":
    case "codex":
    case "patch":
      return refused(name, `this relais has no driver \`${name}\` for ${WITH_ARTICLE[role]} yet`);
    default:
      return unreachable(name);
  }
}

const WITH_ARTICLE = { builder: "a builder", orchestrator: "an orchestrator" } as const;

async function chooseCommand(
  { config, repository }: DriverRequest,
  { role, command: settings, commandKey: key }: RoleChoice,
): Promise<DriverChoice> {
  if (settings === undefined)
    return refused("command", `the driver \`command\` needs \`${key}\` with the command to start`);
  const ownedGlobs = config.runner.runner_owned_globs;
  const problem = await commandProblem(settings, { repository, ownedGlobs, key });
  if (problem !== null) return refused("command", problem);
  return ready(
    commandDriver(settings, repository.root),
    limitsOf(config.roles[role], settings.timeout_seconds),
  );
}

async function chooseScripted(
  { config, repository, player }: DriverRequest,
  { role, script }: RoleChoice,
): Promise<DriverChoice> {
  const source = await chooseScript(script, repository.root);
  if (source.kind === "invalid") return refused("scripted", `\`${role}.scripted.script\`: ${source.message}`);
  return ready(scriptedDriver(source, player), limitsOf(config.roles[role], null));
}

function limitsOf(role: Config["roles"]["builder"], ownSeconds: number | null): RoleLimits {
  return {
    timeoutMs: milliseconds(role.timeout_seconds ?? ownSeconds),
    idleTimeoutMs: milliseconds(role.idle_timeout_seconds ?? null),
  };
}

const milliseconds = (seconds: number | null) => (seconds === null ? null : seconds * 1000);
const ready = (driver: Driver, limits: RoleLimits) => ({ kind: "ready", driver, limits }) as const;
const refused = (driver: Name, problem: string) => ({ kind: "refused", driver, problem }) as const;
