import { makeClaudeSettings } from "../../agents/claude/claude-arguments.ts";
import { readClaudeStatus } from "../../agents/claude/claude-status.ts";
import type { ProgramStatus } from "../../agents/session/program-status.ts";
import { type DoctorCheck, fail, ok, warn } from "../../core/setup/doctor-check.ts";
import { findOptionsTrouble, type DoctorQuestion, rankSeverity, describeStatus } from "./doctor-status.ts";

/** Whether Claude Code would answer a role, and what its permission mode means. No model is asked. */
export async function checkClaude(question: DoctorQuestion): Promise<DoctorCheck> {
  const { role, program, config, environment } = question;
  const settings = makeClaudeSettings(config, role);
  const status = await readClaudeStatus({ program, settings, environment, names: config.env.agents });
  const words = describeStatus("claude_code", question, status);
  return (
    findLoginTrouble(question, words, status) ??
    findOptionsTrouble(question, words, status) ??
    findModeTrouble(question) ??
    ok(role, words)
  );
}

function findLoginTrouble(question: DoctorQuestion, words: string, { login }: ProgramStatus): DoctorCheck | null {
  const { role } = question;
  if (login === "none")
    return rankSeverity(question)(role, {
      message: `${words}, is not logged in.`,
      fix: "Start `claude` once and type /login, or set ANTHROPIC_API_KEY. List the variables of another provider in env.agents.",
    });
  if (login !== "unknown") return null;
  return warn(role, {
    message: `${words}, does not say whether it is logged in.`,
    fix: "Try `claude auth status`; a newer Claude Code answers it.",
  });
}

function findModeTrouble({ role, config, environment }: DoctorQuestion): DoctorCheck | null {
  if (makeClaudeSettings(config, role).permissionMode !== "bypassPermissions") return null;
  const key = role === "builder" ? "builder.claude_code.permission_mode" : "orchestrator.permission_mode";
  const isLifted = config.env.agents.includes("IS_SANDBOX") && environment["IS_SANDBOX"] === "1";
  if (process.getuid?.() === 0 && !isLifted)
    return fail(role, {
      message: `Claude Code refuses ${key} "bypassPermissions" as root.`,
      fix: `Set ${key} to "dontAsk", or run relais as an ordinary user. In a disposable container, set IS_SANDBOX=1 and add it to env.agents.`,
    });
  return warn(role, {
    message: `With ${key} "bypassPermissions" Claude Code may use every tool, also outside the repository; relais judges only changes inside.`,
    fix: `Set ${key} to "dontAsk", which limits its writes to the allowed paths.`,
  });
}
