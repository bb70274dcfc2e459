/** The programs of the roles, and which of them this machine lacks. */
import type { SessionRole } from "../agents/driver.ts";
import { normaliseMode, findCommandProgram } from "../config/command-program.ts";
import type { Config } from "../config/config.ts";
import { unreachable } from "../base/errors.ts";
import { describeMissing, type NeededProgram } from "./missing-program.ts";

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

export interface ProgramQuestion extends Pick<NeededProgram, "root" | "path"> {
  readonly config: Config;
}

/** One sentence; null where the program is found or cannot be checked. */
export async function findMissingProgram(role: SessionRole, question: ProgramQuestion): Promise<string | null> {
  const { config, ...place } = question;
  const { program } = describeAgentProgram(role, config);
  return program === null ? null : describeMissing({ ...place, role, program });
}
