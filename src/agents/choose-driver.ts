import type * as v from "valibot";
import type { Driver as DriverName } from "../contract/agent.ts";
import type { Config } from "../contract/config.ts";
import { unreachable } from "../contract/invariant.ts";
import type { Repository } from "../io/repository-layout.ts";
import { commandDriver, commandProblem } from "./command.ts";
import type { Driver } from "./driver.ts";
import { chooseScript, type ScriptPlayer, scriptedDriver } from "./scripted.ts";

type Name = v.InferOutput<typeof DriverName>;

/** The limits that the configuration gives to the builder; null is "none of its own". */
interface BuilderLimits {
  readonly timeoutMs: number | null;
  readonly idleTimeoutMs: number | null;
}

export type DriverChoice =
  | { readonly kind: "ready"; readonly driver: Driver; readonly limits: BuilderLimits }
  /** The configuration cannot be used; `problem` is one sentence without a full stop. */
  | { readonly kind: "refused"; readonly driver: Name; readonly problem: string };

export interface DriverRequest {
  readonly config: Config;
  readonly repository: Repository;
  readonly player: ScriptPlayer;
}

/** The driver that plays the builder unless a task brings a patch; what is set for the role wins. */
export function builderDriverName({ roles, builder }: Config): Name {
  if (roles.builder.driver !== undefined) return roles.builder.driver;
  return builder.default_mode === "cursor" ? "command" : builder.default_mode;
}

/** Makes the configured builder, and finds out whether it can be used before anything is begun. */
export async function chooseDriver(request: DriverRequest): Promise<DriverChoice> {
  const name = builderDriverName(request.config);
  switch (name) {
    case "command":
      return chooseCommand(request);
    case "scripted":
      return chooseScripted(request);
    case "claude_code":
    case "codex":
    case "patch":
      return refused(name, `this relais has no driver \`${name}\` for a builder yet`);
    default:
      return unreachable(name);
  }
}

async function chooseCommand({ config, repository }: DriverRequest): Promise<DriverChoice> {
  const settings = config.builder.cursor;
  if (settings === undefined)
    return refused("command", "the driver `command` needs `builder.cursor` with the command to start");
  const problem = await commandProblem(settings, {
    repository,
    ownedGlobs: config.runner.runner_owned_globs,
  });
  if (problem !== null) return refused("command", problem);
  return ready(commandDriver(settings, repository.root), limitsOf(config, settings.timeout_seconds));
}

async function chooseScripted({ config, repository, player }: DriverRequest): Promise<DriverChoice> {
  const source = await chooseScript(config.builder.scripted, repository.root);
  if (source.kind === "invalid") return refused("scripted", `\`builder.scripted.script\`: ${source.message}`);
  return ready(scriptedDriver(source, player), limitsOf(config, null));
}

function limitsOf({ roles: { builder } }: Config, ownSeconds: number | null): BuilderLimits {
  return {
    timeoutMs: milliseconds(builder.timeout_seconds ?? ownSeconds),
    idleTimeoutMs: milliseconds(builder.idle_timeout_seconds ?? null),
  };
}

const milliseconds = (seconds: number | null) => (seconds === null ? null : seconds * 1000);
const ready = (driver: Driver, limits: BuilderLimits) => ({ kind: "ready", driver, limits }) as const;
const refused = (driver: Name, problem: string) => ({ kind: "refused", driver, problem }) as const;
