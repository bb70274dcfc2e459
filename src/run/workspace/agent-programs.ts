/** The programs of the roles, and which of them this machine lacks. */
import type { SessionRole } from "../../agents/session/driver.ts";
import { normaliseMode, findCommandProgram } from "../../contract/config/command-program.ts";
import type { Config } from "../../contract/config/config.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { findOwnProgram } from "../../io/machine/find-program.ts";

type Mode = Exclude<Config["builder"]["default_mode"], "cursor">;

export interface AgentProgram {
  readonly mode: Mode;
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
  /** The working directory of every session. */
  readonly root: string;
  /** Without a PATH the system uses its own, so nothing can be said. */
  readonly path: string | undefined;
}

/** One sentence; null where the program is found or cannot be checked. */
export async function findMissingProgram(role: SessionRole, question: ProgramQuestion): Promise<string | null> {
  const { config, root: cwd, path } = question;
  const { mode, program } = describeAgentProgram(role, config);
  if (program === null || path === undefined) return null;
  if ((await findOwnProgram(program, { path, cwd })) !== null) return null;
  return `The program ${program} of the ${role} (${mode}) was not found.`;
}
