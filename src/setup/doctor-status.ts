import type { ProgramStatus } from "../agents/program-status.ts";
import type { Environment } from "../base/environment.ts";
import type { Config } from "../config/config.ts";
import { type DoctorCheck, fail, warn, ok } from "../checks/pure/doctor-check.ts";
import { makeClaudeSettings } from "../agents/claude-arguments.ts";
import { readClaudeStatus } from "../agents/claude-status.ts";
import { makeCodexSettings } from "../agents/codex-arguments.ts";
import { type CodexStatus, readCodexStatus } from "../agents/codex-status.ts";

/** A role and its program. */
export interface DoctorQuestion {
  readonly role: "builder" | "orchestrator" | "reviewer";
  readonly program: string;
  readonly config: Config;
  readonly environment: Environment;
}

function describeStatus(
  driver: "claude_code" | "codex",
  { program }: DoctorQuestion,
  { version, login }: ProgramStatus,
): string {
  const known = version === null ? "unknown version" : `version ${version}`;
  const how = typeof login === "string" ? "" : `, logged in by ${login.method}`;
  return `${driver}: ${program}, ${known}${how}`;
}

/** A task from a file needs no orchestrator, so its trouble only warns. */
function rankSeverity({ role }: DoctorQuestion): typeof fail {
  return role === "orchestrator" ? warn : fail;
}

function findOptionsTrouble(question: DoctorQuestion, words: string, { options }: ProgramStatus): DoctorCheck | null {
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

/** Whether Claude Code would answer a role, and what its permission mode means. No model is asked. */
export async function checkClaude(question: DoctorQuestion): Promise<DoctorCheck> {
  const { role, program, config, environment } = question;
  const settings = makeClaudeSettings(config, role);
  return reportClaude(question, await readClaudeStatus({ program, settings, environment, names: config.env.agents }));
}

export function reportClaude(question: DoctorQuestion, status: ProgramStatus): DoctorCheck {
  const words = describeStatus("claude_code", question, status);
  return (
    findLoginTrouble(question, words, { ...CLAUDE_LOGIN, login: status.login }) ??
    findOptionsTrouble(question, words, status) ??
    findModeTrouble(question) ??
    ok(question.role, words)
  );
}

const CLAUDE_LOGIN = {
  logIn:
    "Start `claude` once and type /login, or set ANTHROPIC_API_KEY. List the variables of another provider in env.agents.",
  find: "Try `claude auth status`; a newer Claude Code answers it.",
};
const CODEX_LOGIN = {
  logIn: "Type `codex login`, or set CODEX_API_KEY. OPENAI_API_KEY alone is not used by codex.",
  find: "Try `codex login status`; a newer codex answers it.",
};

function findLoginTrouble(
  question: DoctorQuestion,
  words: string,
  { login, logIn, find }: Pick<ProgramStatus, "login"> & typeof CODEX_LOGIN,
): DoctorCheck | null {
  const { role } = question;
  if (login === "none") return rankSeverity(question)(role, { message: `${words}, is not logged in.`, fix: logIn });
  if (login !== "unknown") return null;
  return warn(role, { message: `${words}, does not say whether it is logged in.`, fix: find });
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

/** Whether codex would answer a role. No model is asked. */
export async function checkCodex(question: DoctorQuestion): Promise<DoctorCheck> {
  const { role, program, config, environment } = question;
  const settings = makeCodexSettings(config, role);
  return reportCodex(
    question,
    await readCodexStatus({ program, role, settings, environment, names: config.env.agents }),
  );
}

export function reportCodex(question: DoctorQuestion, status: CodexStatus): DoctorCheck {
  const words = describeCodex(question, status);
  return (
    findOptionsTrouble(question, words, status) ?? findCodexTrouble(question, words, status) ?? ok(question.role, words)
  );
}

/** With another provider, a login with codex does not matter. */
function describeCodex(question: DoctorQuestion, status: CodexStatus): string {
  const { provider } = status;
  if (provider === null) return describeStatus("codex", question, status);
  return `${describeStatus("codex", question, { ...status, login: "unknown" })}, with the provider ${provider.name}`;
}

function findCodexTrouble(question: DoctorQuestion, words: string, { login, provider }: CodexStatus) {
  if (provider === null) return findLoginTrouble(question, words, { ...CODEX_LOGIN, login });
  if (provider.hasKey) return null;
  return rankSeverity(question)(question.role, {
    message: `${words}, cannot find its key: ${provider.variable ?? ""} is not passed to sessions.`,
    fix: `Set ${provider.variable ?? ""} and add it to env.agents.`,
  });
}
