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
interface SessionLimits {
  readonly timeoutMs: number | null;
  readonly idleTimeoutMs: number | null;
}

export type DriverChoice =
  | { readonly kind: "ready"; readonly driver: Driver; readonly limits: SessionLimits }
  /** The configuration cannot be used; `problem` is one sentence without a full stop. */
  | { readonly kind: "refused"; readonly driver: Name; readonly problem: string };

type SessionRole = "builder" | "reviewer" | "verifier";

export interface DriverRequest {
  /** Whose driver it is; the builder's, unless it is said. */
  readonly role?: SessionRole;
  readonly config: Config;
  readonly repository: Repository;
  readonly player: ScriptPlayer;
}

/** The driver that plays a role; what is set for it wins over what the builder has. */
function driverName({ roles, builder }: Config, role: SessionRole): Name {
  const own = roles[role].driver ?? roles.builder.driver;
  if (own !== undefined) return own;
  return builder.default_mode === "cursor" ? "command" : builder.default_mode;
}

/** Makes the configured driver of a role, and finds out whether it can be used before anything is begun. */
export async function chooseDriver(request: DriverRequest): Promise<DriverChoice> {
  const role = request.role ?? "builder";
  const name = driverName(request.config, role);
  switch (name) {
    case "command":
      return chooseCommand(request);
    case "scripted":
      return chooseScripted(request);
    case "patch":
      return refused(name, "it takes only patches, and the task carries none");
    case "claude_code":
    case "codex":
      return refused(name, `this relais has no driver \`${name}\` for a ${role} yet`);
    default:
      return unreachable(name);
  }
}

async function chooseCommand({ config, repository, role }: DriverRequest): Promise<DriverChoice> {
  const settings = config.builder.cursor;
  if (settings === undefined)
    return refused("command", "the driver `command` needs `builder.cursor` with the command to start");
  const problem = await commandProblem(settings, {
    repository,
    ownedGlobs: config.runner.runner_owned_globs,
  });
  if (problem !== null) return refused("command", problem);
  return ready(commandDriver(settings), limitsOf(config, role, settings.timeout_seconds));
}

async function chooseScripted({ config, repository, player, role }: DriverRequest): Promise<DriverChoice> {
  const source = await chooseScript(config.builder.scripted, repository.root);
  if (source.kind === "invalid") return refused("scripted", `\`builder.scripted.script\`: ${source.message}`);
  return ready(scriptedDriver(source, player), limitsOf(config, role, null));
}

function limitsOf(
  { roles }: Config,
  role: SessionRole = "builder",
  ownSeconds: number | null = null,
): SessionLimits {
  return {
    timeoutMs: milliseconds(roles[role].timeout_seconds ?? ownSeconds),
    idleTimeoutMs: milliseconds(roles[role].idle_timeout_seconds ?? null),
  };
}

const milliseconds = (seconds: number | null) => (seconds === null ? null : seconds * 1000);
const ready = (driver: Driver, limits: SessionLimits) => ({ kind: "ready", driver, limits }) as const;
const refused = (driver: Name, problem: string) => ({ kind: "refused", driver, problem }) as const;
