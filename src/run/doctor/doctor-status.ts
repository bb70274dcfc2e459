import type { ProgramStatus } from "../../agents/session/program-status.ts";
import type { Environment } from "../../contract/values/environment.ts";
import type { Config } from "../../contract/config/config.ts";
import { type DoctorCheck, fail, warn } from "../../core/setup/doctor-check.ts";

/** A role and its program. */
export interface DoctorQuestion {
  readonly role: "builder" | "orchestrator" | "reviewer";
  readonly program: string;
  readonly config: Config;
  readonly environment: Environment;
}

export function describeStatus(
  driver: "claude_code" | "codex",
  { program }: DoctorQuestion,
  { version, login }: ProgramStatus,
): string {
  const known = version === null ? "unknown version" : `version ${version}`;
  const how = typeof login === "string" ? "" : `, logged in by ${login.method}`;
  return `${driver}: ${program}, ${known}${how}`;
}

/** A task from a file needs no orchestrator, so its trouble only warns. */
export function rankSeverity({ role }: DoctorQuestion): typeof fail {
  return role === "orchestrator" ? warn : fail;
}

export function findOptionsTrouble(
  question: DoctorQuestion,
  words: string,
  { options }: ProgramStatus,
): DoctorCheck | null {
  if (options.kind === "known") return null;
  if (options.kind === "unclear")
    return warn(question.role, {
      message: `${words}, may not support the options of relais.`,
      fix: "Try `relais run` with a small task; if it fails, read the transcript in its history.",
    });
  return rankSeverity(question)(question.role, {
    message: `${words}, does not support the options of relais.`,
    problems: [options.problem],
    fix: "Update it, or check the extra options in the configuration of relais and of the program.",
  });
}
