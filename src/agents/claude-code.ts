/**
 * The driver for Anthropic's Claude Code, for every role.
 *
 * An orchestrator has no tools, a reviewer can only read, and a builder may write where the task allows it. That helps
 * the agent and proves nothing: its changes are measured afterwards.
 */
import { readClockMs } from "../system/clock.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import type { SessionEnd } from "../process/supervise.ts";
import { listClaudeArguments, type ClaudeSettings, listFallbackArguments } from "./claude-arguments.ts";
import { listClaudeHosts, listClaudeLoginNames, makeClaudeVariables, needsUserSettings } from "./claude-environment.ts";
import { type ClaudeSeen, type ClaudeWatch, watchClaude } from "./claude-events.ts";
import { makeClaudePermissions, narrowTools } from "./claude-permissions.ts";
import { readClaudeEnding } from "./claude-result.ts";
import { adaptClaudeSchema } from "./claude-schema.ts";
import type { Driver, SessionEnding, SessionReply, SessionRequest } from "./driver.ts";
import { findSessionCut } from "./session-cut.ts";
import { makeSessionVariables, superviseSession } from "./supervise-session.ts";

const DENIALS_SHOWN_MAX = 10;

export function makeClaudeDriver(settings: ClaudeSettings): Driver {
  return {
    name: "claude_code",
    // Sessions that only look have no tool to write with, and each has a drop folder of its own.
    runsSideBySide: true,
    confines: (tools) => confines(settings, tools),
    hosts: listClaudeHosts,
    run: (request) => runClaude(settings, request),
  };
}

/** Its rules bind the tools that write; a shell writes wherever it likes. */
function confines({ permissionMode, tools }: ClaudeSettings, allowed: readonly string[] | null): boolean {
  const hasShell = /(?:^|,)\s*(?:Bash|PowerShell)\b/u.test(narrowTools(tools, allowed));
  return permissionMode !== "bypassPermissions" && !hasShell;
}

async function runClaude(settings: ClaudeSettings, request: SessionRequest): Promise<SessionReply> {
  const schema = request.schema === null ? null : adaptClaudeSchema(request.schema);
  const args = await makeArguments(settings, request, schema?.schema ?? null);
  const watch = watchClaude((event) => request.onEvent?.(event));
  const end = await start(settings, request, { args, watch });
  const seen = watch.seen();
  const ending = readEnding(end, { settings, request, seen, isEnveloped: schema?.isEnveloped ?? false });
  printEnd(ending, request);
  const { durationMs, survivors, undead } = end;
  return { ...ending, durationMs, survivors, undead, notes: listNotes(settings, seen) };
}

async function makeArguments(
  settings: ClaudeSettings,
  request: SessionRequest,
  schema: object | null,
): Promise<readonly string[]> {
  const { cwd, drop, system, scope, model } = request;
  return listClaudeArguments(settings, {
    model: model ?? null,
    maxTurns: request.maxTurns ?? null,
    permissions: makeClaudePermissions({
      tools: narrowTools(settings.tools, request.tools ?? null),
      cwd,
      drop: drop.path,
      scope: scope ?? null,
    }),
    schema,
    systemPath: system === undefined ? null : await drop.put("SYSTEM.txt", system),
    needsUserSettings: await needsUserSettings(request.environment),
  });
}

function start(
  settings: ClaudeSettings,
  request: SessionRequest,
  { args, watch }: { readonly args: readonly string[]; readonly watch: ClaudeWatch },
): Promise<SessionEnd> {
  const { model = null, environment, environmentNames } = request;
  const hasFallback = listFallbackArguments(settings, { model }).length > 0;
  return superviseSession(request, {
    program: settings.command,
    args,
    env: makeChildEnvironment({
      inherit: environment,
      names: [...listClaudeLoginNames(environment), ...environmentNames],
      set: { ...makeClaudeVariables({ hasFallback }), ...makeSessionVariables(request) },
    }),
    // A prompt that begins with `/name` would be taken for a command and never reach a model.
    input: `\n${request.prompt ?? ""}`,
    onLine: watch.line,
  });
}

interface ClaudeSession {
  readonly settings: ClaudeSettings;
  readonly request: SessionRequest;
  readonly seen: ClaudeSeen;
  readonly isEnveloped: boolean;
}

function readEnding(end: SessionEnd, { settings, request, seen, isEnveloped }: ClaudeSession): SessionEnding {
  const cut = findSessionCut(end, { program: settings.command, outputBytesMax: request.outputBytesMax });
  if (cut !== null) return cut;
  const status = end.kind === "exited" ? end.status : 0;
  const stderr = end.stderr.toString("utf8");
  return readClaudeEnding({ status, stderr, seen, isEnveloped, nowMs: readClockMs() });
}

/** Known only at the end: the whole bill, and a limit that came as a sentence. */
function printEnd(ending: SessionEnding, { onEvent }: SessionRequest): void {
  const usage = ending.kind === "finished" || ending.kind === "failed" ? (ending.usage ?? null) : null;
  if (usage !== null)
    onEvent?.({
      type: "usage",
      inputTokens: usage.input_tokens,
      cachedInputTokens: usage.cached_input_tokens,
      outputTokens: usage.output_tokens,
      costUsd: usage.cost_usd,
    });
  if (ending.kind === "failed" && ending.code === "STOP_RATE_LIMITED")
    onEvent?.({ type: "limit", text: ending.message, until: ending.until ?? null });
}

const NO_FENCE =
  "Claude Code ran with bypassPermissions: every tool was open to it, and only its changes in this repository were judged";

function listNotes({ permissionMode }: ClaudeSettings, { wrapper, denials }: ClaudeSeen): readonly string[] {
  const shown = denials
    .slice(0, DENIALS_SHOWN_MAX)
    .map(({ tool, target }) => `${tool} was denied${target === null ? "" : `: ${target}`}`);
  const rest = denials.length - shown.length;
  return [
    // Where it refused the mode, it never came to work.
    ...(permissionMode === "bypassPermissions" && wrapper !== undefined ? [NO_FENCE] : []),
    ...shown,
    ...(rest > 0 ? [`and ${rest} more calls of tools were denied`] : []),
  ];
}
