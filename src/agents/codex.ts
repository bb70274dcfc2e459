/**
 * The driver for OpenAI's codex, for every role.
 *
 * There is no flag for the text about the role, so it comes first in the prompt. Success is read from the events; the
 * exit status alone says too little.
 */
import { join } from "node:path";
import type { AgentEvent } from "../records/agent-event.ts";
import { unreachable } from "../base/errors.ts";
import {
  type Driver,
  readMoment,
  type RecordWish,
  SESSION_LOST,
  type SessionEnding,
  type SessionReply,
  type SessionRequest,
  type SessionUsage,
  countOwnUsage,
} from "./driver.ts";
import {
  failSession,
  findSessionCut,
  makeSessionVariables,
  type OnLine,
  superviseSession,
  withLastLine,
} from "./supervise-session.ts";
import {
  advance,
  type CodexLine,
  type CodexProgress,
  listCodexEvents,
  NO_PROGRESS,
  readCodexLine,
} from "./codex-events.ts";
import { readCodexFailure } from "./codex-failure.ts";
import { readClockMs } from "../system/clock.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import type { SessionEnd } from "../process/supervise.ts";
import {
  adaptCodexSchema,
  CODEX_VARIABLES,
  type CodexSettings,
  listCodexArguments,
  listCodexHosts,
} from "./codex-arguments.ts";
import { composeWholePrompt } from "./dropped-session.ts";

/*
 * Watches one session of codex and enforces two limits that codex does not have: on its turns, and on a wait for its
 * service.
 */

/** What is logged on standard error: the usual errors, and each wait. */
export const CODEX_LOG = "error,codex_core::responses_retry=warn";

/** A longer wait is for relais: it costs nothing, and a loop shows it. */
const WAIT_MS_MAX = 60_000;

const WAIT =
  /retrying sampling request \(\d+\/\d+ in (?<amount>\d+(?:\.\d+)?)(?<unit>ns|µs|ms|s)\).*?sampling_error=(?<reason>.*)$/u;
const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, µs: 1e-3, ms: 1, s: 1000 };

/**
 * How long codex is about to wait, from its log; null for a line about anything else. It waits as long as its service
 * asks, even an hour, and only the log has the length: "retrying sampling request (1/5 in 3599.99s)...
 * sampling_error=exceeded retry limit, last status: 429".
 */
function findCodexWait(line: string, nowMs: number): { readonly ms: number; readonly reason: string } | null {
  const { amount, unit, reason = "" } = WAIT.exec(line)?.groups ?? {};
  if (readCodexFailure(reason, nowMs).code !== "STOP_RATE_LIMITED") return null;
  return { ms: Math.ceil(Number(amount) * (UNIT_MS[unit ?? ""] ?? Number.NaN)), reason };
}

export interface CodexWatch {
  readonly line: OnLine;
  readonly errorLine: (line: string) => void;
  /** Aborted once the session must end; the cut says why. */
  readonly stop: AbortSignal;
  readonly progress: () => CodexProgress;
  /** What codex counted, together with the session that this one goes on with. */
  readonly spent: () => SessionUsage | null;
  /** Why the watch ended it; null where it did not. */
  readonly cut: () => SessionEnding | null;
  /** The limit that it waited for when somebody else ended it; null where it did not wait. */
  readonly pending: () => SessionEnding | null;
}

type FailedEnding = Extract<SessionEnding, { kind: "failed" }>;

export function watchCodex(
  maxTurns: number | null,
  onEvent: (event: AgentEvent) => void,
  nowMs: () => number,
  record?: RecordWish,
): CodexWatch {
  const stop = new AbortController();
  let progress = NO_PROGRESS;
  let turns = NO_TURNS;
  let cut: FailedEnding | null = null;
  let pending: FailedEnding | null = null;
  const end = (why: FailedEnding): void => {
    cut ??= why;
    stop.abort();
  };
  const take = (line: CodexLine): void => {
    progress = advance(progress, line);
    turns = countTurns(turns, line);
    if (line.type === "error") pending = findLimit(line.message, nowMs()) ?? pending;
    else pending = null;
    if (maxTurns !== null && turns.ended >= maxTurns)
      end(failSession("max_turns", `it was ended after ${maxTurns} turns`));
  };
  return {
    line: (shown, told) => {
      const line = readCodexLine(told);
      if (line !== null) take(line);
      const visible = shown === told ? line : readCodexLine(shown);
      for (const event of visible === null ? [] : listCodexEvents(visible)) onEvent(countOwn(event, record));
    },
    errorLine: (text) => {
      const wait = findCodexWait(text, nowMs());
      if (wait === null) return;
      const limit = findLimit(wait.reason, nowMs());
      pending = limit === null ? null : { ...limit, until: readMoment(nowMs() + wait.ms) };
      if (pending !== null && wait.ms > WAIT_MS_MAX) end(pending);
    },
    stop: stop.signal,
    progress: () => ({ ...progress, usage: countOwnUsage(progress.usage, record) }),
    spent: () => progress.usage,
    cut: () => cut,
    pending: () => pending,
  };
}

/** The event of a session that goes on with another one tells what this one spent. */
function countOwn(event: AgentEvent, record: RecordWish | undefined): AgentEvent {
  if (event.type !== "usage") return event;
  const { inputTokens, cachedInputTokens, outputTokens } = event;
  const total = { input_tokens: inputTokens, cached_input_tokens: cachedInputTokens, output_tokens: outputTokens };
  const own = countOwnUsage({ ...total, cost_usd: null }, record);
  return {
    ...event,
    inputTokens: own?.input_tokens ?? null,
    cachedInputTokens: own?.cached_input_tokens ?? null,
    outputTokens: own?.output_tokens ?? null,
  };
}

function findLimit(words: string, nowMs: number): FailedEnding | null {
  const failure = readCodexFailure(words, nowMs);
  if (failure.code !== "STOP_RATE_LIMITED") return null;
  return { kind: "failed", ...failure, message: words.trim().slice(0, QUOTED_CHARS_MAX) };
}

/**
 * Codex does not count turns. A turn is one answer of the model; the calls of one answer run side by side, so a turn is
 * over when all of them have ended.
 */
interface CodexTurns {
  /** The turns that ended with tool calls; the last one, which only answers, is not among them. */
  readonly ended: number;
  readonly running: number;
}

const NO_TURNS: CodexTurns = { ended: 0, running: 0 };

function countTurns(turns: CodexTurns, line: CodexLine): CodexTurns {
  if (line.type !== "item.started" && line.type !== "item.completed") return turns;
  if (!isCall(line.item)) return turns;
  if (line.type === "item.started") return { ...turns, running: turns.running + 1 };
  // A call that was refused, and a change of files in some versions, is reported only when it is over.
  const running = Math.max(0, turns.running - 1);
  return running > 0 ? { ...turns, running } : { ended: turns.ended + 1, running };
}

type Item = Extract<CodexLine, { type: "item.started" }>["item"];

function isCall({ type }: Item): boolean {
  switch (type) {
    case "command_execution":
    case "file_change":
    case "mcp_tool_call":
    case "web_search":
      return true;
    case "agent_message":
    case "reasoning":
      return false;
    default:
      return unreachable(type);
  }
}

const QUOTED_CHARS_MAX = 1000;

/** The model of a request is another vendor's and is not passed on. */
export function makeCodexDriver(settings: CodexSettings): Driver {
  return {
    name: "codex",
    // Sessions that only look are kept from writing by its sandbox, and each has a drop folder of its own.
    runsSideBySide: true,
    hosts: (environment) => listCodexHosts(settings.args, environment),
    confines: () => settings.sandbox !== "danger-full-access" && !settings.args.some(opensSandbox),
    run: async (request) => {
      const schema = request.schema === null ? null : adaptCodexSchema(request.schema);
      const schemaPath = schema === null ? null : await request.drop.put("SCHEMA.json", `${JSON.stringify(schema)}\n`);
      const { role, cwd, tools = null, record, drop } = request;
      const kept = record === undefined ? {} : { record, databases: join(drop.path, "databases") };
      const args = listCodexArguments(settings, { role, cwd, schemaPath, tools, ...kept });
      return runCodex(request, {
        command: settings.command,
        args,
        input: composePrompt(request, schema === null),
      });
    },
  };
}

/** Whether a further argument, which comes last and wins, is about the sandbox. */
const opensSandbox = (argument: string): boolean => /danger|sandbox(?!_workspace_write\.exclude)|yolo/u.test(argument);

/** A schema that cannot be sent along goes into the prompt. */
function composePrompt(request: SessionRequest, tellsSchema: boolean): string {
  const prompt = composeWholePrompt(request) ?? "";
  if (request.schema === null || !tellsSchema) return prompt;
  return `${prompt}\n\nThe JSON Schema of the object that you answer with:\n\n${JSON.stringify(request.schema)}\n`;
}

async function runCodex(
  request: SessionRequest,
  { command, args, input }: { readonly command: string; readonly args: readonly string[]; readonly input: string },
): Promise<SessionReply> {
  const watch = watchCodex(request.maxTurns ?? null, (event) => request.onEvent?.(event), readClockMs, request.record);
  const end = await superviseSession(request, {
    program: command,
    args,
    env: makeChildEnvironment(request.environment, [...CODEX_VARIABLES, ...request.environmentNames], {
      RUST_LOG: CODEX_LOG,
      ...makeSessionVariables(request),
    }),
    input,
    onLine: watch.line,
    onErrorLine: watch.errorLine,
    stop: watch.stop,
  });
  const ending = readEnding(end, watch, { command, request });
  if (ending.kind === "failed" && ending.code === "STOP_RATE_LIMITED")
    request.onEvent?.({ type: "limit", text: ending.message, until: ending.until ?? null });
  const { durationMs, survivors, undead } = end;
  return { ...nameLost(ending, end, request), durationMs, survivors, undead, ...describeRecord(watch, request) };
}

function describeRecord(watch: CodexWatch, { record }: SessionRequest): Pick<SessionReply, "record"> {
  const { thread } = watch.progress();
  return record === undefined || thread === null ? {} : { record: { id: thread, spent: watch.spent() } };
}

function nameLost(ending: SessionEnding, { stderr }: SessionEnd, { record }: SessionRequest): SessionEnding {
  if (ending.kind !== "failed" || (record?.earlier ?? null) === null) return ending;
  return LOST.test(stderr.toString("utf8")) ? { ...ending, cause: SESSION_LOST } : ending;
}

const LOST = /thread\/resume failed|no rollout found/u;

/** A session that ran out of time while it waited for its service was not too slow. */
function readEnding(
  end: SessionEnd,
  watch: CodexWatch,
  { command, request }: { readonly command: string; readonly request: SessionRequest },
): SessionEnding {
  const cut = findSessionCut(end, command, request.outputBytesMax);
  if (cut?.kind === "aborted" && !request.signal.aborted) return watch.cut() ?? cut;
  if (cut?.kind === "timed-out") return watch.pending() ?? cut;
  return cut ?? readExit(end, watch);
}

/** Events and exit status must agree that it went well. */
function readExit(end: SessionEnd, watch: CodexWatch): SessionEnding {
  const { verdict, reason, message, usage } = watch.progress();
  const status = end.kind === "exited" ? end.status : 0;
  if (verdict === "failed") {
    const quoted = reason.trim().slice(0, QUOTED_CHARS_MAX);
    return { kind: "failed", ...readCodexFailure(reason, readClockMs()), message: quoted };
  }
  if (status !== 0) return failSession(`exit_${status}`, withLastLine(`it ended with exit ${status}`, end.stderr));
  if (verdict === "none") return failSession("no_verdict", "it ended without saying that it was finished");
  const result =
    message === null
      ? ({ kind: "absent", cause: "result_missing", message: "it ended without a message" } as const)
      : ({ kind: "left", data: Buffer.from(message) } as const);
  return { kind: "finished", result, usage };
}
