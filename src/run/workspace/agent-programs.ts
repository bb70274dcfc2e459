/** The programs behind the drivers of the roles, and which of them this machine lacks. */
import type * as v from "valibot";
import type { Role } from "../../contract/agents/agent.ts";
import { normaliseMode, findCommandProgram } from "../../contract/config/command-program.ts";
import type { Config } from "../../contract/config/config.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { findProgram } from "../../io/machine/find-program.ts";

type SessionRole = v.InferOutput<typeof Role>;
type Mode = Exclude<Config["builder"]["default_mode"], "cursor">;

export interface AgentProgram {
  readonly mode: Mode;
  /** Null where relais does the work itself. */
  readonly program: string | null;
}

/** The program that plays a role. Reviewers and verifiers use the builder's, unless a driver is set for them. */
export function describeAgentProgram(role: SessionRole, config: Config): AgentProgram {
  const { roles, builder, orchestrator } = config;
  if (role !== "orchestrator") {
    const mode = roles[role].driver ?? roles.builder.driver ?? normaliseMode(builder.default_mode);
    return { mode, program: findDriverProgram(mode, config) };
  }
  const mode = roles.orchestrator.driver ?? "claude_code";
  const own = mode === "command" ? findCommandProgram("orchestrator", orchestrator).settings?.command : undefined;
  return { mode, program: own ?? findDriverProgram(mode, config) };
}

function findDriverProgram(mode: Mode, { builder, claude_code_cli }: Config): string | null {
  switch (mode) {
    case "claude_code":
      return claude_code_cli.command;
    case "codex":
      return builder.codex.command;
    case "command":
      return findCommandProgram("builder", builder).settings?.command ?? null;
    case "patch":
    case "scripted":
      return null;
    default:
      return unreachable(mode);
  }
}

export interface ProgramQuestion {
  readonly config: Config;
  /** The root of the repository, where every session begins. */
  readonly root: string;
  /** The PATH of the sessions; without one the system has its own, and nobody knows what it finds. */
  readonly path: string | undefined;
}

/** One sentence about the program of a role that cannot be started here; null where it can, or may. */
export async function findMissingProgram(role: SessionRole, question: ProgramQuestion): Promise<string | null> {
  const { config, root: cwd, path } = question;
  const { mode, program } = describeAgentProgram(role, config);
  if (program === null || path === undefined) return null;
  if ((await findProgram(program, { path, cwd })) !== null) return null;
  return `The program ${program} of the ${role} (${mode}) was not found.`;
}
