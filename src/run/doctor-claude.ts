import { type ClaudeStatus, claudeStatus } from "../agents/claude-status.ts";
import type { Config } from "../contract/config.ts";
import { type DoctorCheck, fail, ok, warn } from "../core/doctor-check.ts";

interface ClaudeQuestion {
  /** The role, which is the subject of the line. */
  readonly role: "builder" | "orchestrator";
  /** The file that would be started. */
  readonly program: string;
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Whether Claude Code would answer a role, and what its permission mode means. No model is asked. */
export async function claudeCheck(question: ClaudeQuestion): Promise<DoctorCheck> {
  const { role, program, config, environment } = question;
  const status = await claudeStatus({ program, environment, names: config.env.agents });
  return loginTrouble(question, status) ?? modeTrouble(question) ?? ok(role, wordsOf(program, status));
}

function wordsOf(program: string, { version, login }: ClaudeStatus): string {
  const known = version === null ? "of an unknown version" : `version ${version}`;
  const how = typeof login === "string" ? "" : `, logged in by ${login.method}`;
  return `claude_code: ${program}, ${known}${how}`;
}

/** A task from a file needs no planning, so what keeps only the orchestrator is no failure yet. */
function loginTrouble({ role, program }: ClaudeQuestion, status: ClaudeStatus): DoctorCheck | null {
  const { login } = status;
  if (login === "none")
    return (role === "builder" ? fail : warn)(role, {
      message: `${wordsOf(program, status)}, is not logged in.`,
      fix: "Start `claude` once and type /login, or set ANTHROPIC_API_KEY. What another provider needs is named in env.agents.",
    });
  if (login !== "unknown") return null;
  return warn(role, {
    message: `${wordsOf(program, status)}, does not say whether it is logged in.`,
    fix: "Try `claude auth status`; a newer Claude Code answers it.",
  });
}

function modeTrouble({ role, config, environment }: ClaudeQuestion): DoctorCheck | null {
  const { permission_mode: mode } = role === "builder" ? config.builder.claude_code : config.orchestrator;
  if (mode !== "bypassPermissions") return null;
  const key = role === "builder" ? "builder.claude_code.permission_mode" : "orchestrator.permission_mode";
  const isLifted = config.env.agents.includes("IS_SANDBOX") && environment["IS_SANDBOX"] === "1";
  if (process.getuid?.() === 0 && !isLifted)
    return fail(role, {
      message: `Claude Code refuses ${key} "bypassPermissions" as root.`,
      fix: `Set ${key} to "dontAsk", or run relais as an ordinary user. Inside a container that may be thrown away, set IS_SANDBOX=1 and name it in env.agents.`,
    });
  return warn(role, {
    message: `With ${key} "bypassPermissions" every tool is open to Claude Code, inside and outside of the repository; only what changes here is judged.`,
    fix: `Set ${key} to "dontAsk", which keeps its writing tools in the scope of the task.`,
  });
}
