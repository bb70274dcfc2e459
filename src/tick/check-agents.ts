/** Preflight rows about the agents. */
import { createHash } from "node:crypto";
import { readClaudeLogin } from "../agents/claude-status.ts";
import { makeCodexSettings } from "../agents/codex-arguments.ts";
import { readCodexLogin } from "../agents/codex-status.ts";
import { listFallbackConfigs, replaceAgent } from "../agents/fallbacks.ts";
import type { Config } from "../config/config.ts";
import { RateLimitFold } from "../journal/pure/rate-limit.ts";
import { readClockMs } from "../system/clock.ts";
import { findOwnProgram } from "../system/find-program.ts";
import type { SessionRole } from "../agents/driver.ts";
import { describeAgentProgram, findMissingProgram } from "../workspace/agent-programs.ts";
import { listCalledRoles, type PreflightRefusal, type PreflightSubject } from "./preflight-row.ts";

interface AgentCall {
  readonly role: SessionRole;
  readonly config: Config;
}

/** With the fallbacks of each role, and the reviewers that have an agent of their own. */
function listCalls({ config, work }: PreflightSubject): readonly AgentCall[] {
  const calls = listCalledRoles(work).flatMap((role) =>
    [config, ...listFallbackConfigs(config, role)].map((each) => ({ role, config: each })),
  );
  const plan = work?.review?.plan;
  if (plan === undefined) return calls;
  const own = plan.reviewers.flatMap(({ agent }) => agent ?? []);
  return [...calls, ...own.map((agent) => ({ role: plan.role, config: replaceAgent(config, plan.role, agent) }))];
}

export async function checkAgentPrograms(subject: PreflightSubject): Promise<PreflightRefusal | null> {
  const { repository } = subject;
  const question = { root: repository.root, path: repository.environment["PATH"] };
  for (const { role, config } of listCalls(subject)) {
    const message = await findMissingProgram(role, { ...question, config });
    if (message === null) continue;
    return role === "builder"
      ? { code: "BLOCKED_BUILDER_COMMAND_NOT_FOUND", cause: "not_found", message }
      : { code: "BLOCKED_MISSING_CONFIG", cause: `${role}_not_found`, message };
  }
  return null;
}

/** A changed configuration may name another model or account, so it is tried. */
export function checkRateLimit({ journal, configText, work }: PreflightSubject): PreflightRefusal | null {
  const { limit } = journal.fold(RateLimitFold);
  if (limit === null || Date.parse(limit.until) <= readClockMs()) return null;
  if (limit.configSha256 !== createHash("sha256").update(configText).digest("hex")) return null;
  const { caller, until, runId } = limit;
  if (work !== undefined && work !== null && work[caller] === null) return null;
  const who = caller === "review" ? "reviewers" : caller;
  const message = `The service of the ${who} refuses until ${until}, as it told the tick ${runId}.`;
  return { code: "STOP_RATE_LIMITED", cause: "still_limited", message, until };
}

/** Last, because it starts programs. An unclear answer counts as logged in. */
export async function checkLogins(subject: PreflightSubject): Promise<PreflightRefusal | null> {
  for (const call of listCalls(subject)) {
    const trouble = await findLoginTrouble(call, subject);
    if (trouble !== null) return { code: "BLOCKED_MISSING_CONFIG", cause: "not_logged_in", message: trouble };
  }
  return null;
}

/** Programs that are logged in: a loop does not ask them again. */
const loggedIn = new Set<string>();

export async function findLoginTrouble(
  { role, config }: AgentCall,
  { repository }: Pick<PreflightSubject, "repository">,
): Promise<string | null> {
  const { environment, root: cwd } = repository;
  const { mode, program } = describeAgentProgram(role, config);
  const isKnown = mode === "claude_code" || mode === "codex";
  if (!isKnown || program === null) return null;
  const found = await findOwnProgram(program, { path: environment["PATH"] ?? "", cwd });
  if (found === null) return null;
  // Another environment may mean another account.
  const login = JSON.stringify([found, environment]);
  if (loggedIn.has(login)) return null;
  const question = { program: found, environment, names: config.env.agents };
  const trouble =
    mode === "claude_code"
      ? (await readClaudeLogin(question)) === "none"
        ? `${program} of the ${role} is not logged in.`
        : null
      : await findCodexTrouble(role, { ...question, settings: makeCodexSettings(config, role) });
  if (trouble === null) loggedIn.add(login);
  return trouble;
}

async function findCodexTrouble(
  role: AgentCall["role"],
  request: Parameters<typeof readCodexLogin>[0],
): Promise<string | null> {
  const { login, provider } = await readCodexLogin(request);
  if (provider === null) return login === "none" ? `codex of the ${role} is not logged in.` : null;
  if (provider.hasKey) return null;
  return `codex of the ${role} would not find its key: ${provider.variable ?? ""} does not reach a session.`;
}
