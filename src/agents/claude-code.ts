import * as v from "valibot";
import { Usage } from "../records/agent.ts";
import { type ClaudeSeen, type ClaudeWatch, watchClaude } from "./claude-events.ts";
import { BareResult } from "./claude-line.ts";
import {
  ENVELOPE_KEY,
  listClaudeArguments,
  type ClaudeSettings,
  listFallbackArguments,
  adaptClaudeSchema,
} from "./claude-arguments.ts";
import {
  SESSION_LOST,
  countOwnUsage,
  findClockMoment,
  type SessionEnding,
  readMoment,
  type Driver,
  type SessionReply,
  type SessionRequest,
} from "./driver.ts";
import { failSession, findSessionCut, makeSessionVariables, superviseSession } from "./supervise-session.ts";
import { readClockMs } from "../system/clock.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import type { SessionEnd } from "../process/supervise.ts";
import { listClaudeHosts, listClaudeLoginNames, makeClaudeVariables, needsUserSettings } from "./claude-environment.ts";
import { makeClaudePermissions, narrowTools } from "./claude-permissions.ts";

/**
 * How a session of Claude Code ended, from its last object and its exit.
 *
 * Neither is enough alone. An error of the model's side is a `success` with `is_error`; an interrupted session may exit
 * with 0 and print nothing; and a prompt that was taken for a command is a success without an answer.
 */

const Amount = v.optional(v.pipe(v.number(), v.minValue(0)), 0);
const Wrapper = v.object({
  subtype: v.string(),
  is_error: v.boolean(),
  num_turns: v.number(),
  api_error_status: v.nullish(v.number()),
  stop_reason: v.nullish(v.string()),
  result: v.optional(v.unknown()),
  errors: v.optional(v.array(v.string()), []),
  structured_output: v.optional(v.unknown()),
  total_cost_usd: v.optional(v.pipe(v.number(), v.minValue(0))),
  modelUsage: v.optional(
    v.record(
      v.string(),
      v.object({
        inputTokens: Amount,
        outputTokens: Amount,
        cacheReadInputTokens: Amount,
        cacheCreationInputTokens: Amount,
        costUSD: Amount,
      }),
    ),
    {},
  ),
});
type Wrapper = v.InferOutput<typeof Wrapper>;

export interface ClaudeEnd {
  readonly status: number;
  /** The end of what it printed as an error. */
  readonly stderr: string;
  readonly seen: ClaudeSeen;
  readonly isEnveloped: boolean;
  /** When it ended, for what it says about a time of day. */
  readonly nowMs: number;
}

const MESSAGE_CHARS_MAX = 1000;

export function readClaudeEnding(end: ClaudeEnd): SessionEnding {
  const wrapper = v.safeParse(Wrapper, end.seen.wrapper);
  if (!wrapper.success) return readBareEnding(end) ?? explainMissingWrapper(end);
  const failure = findFailure(wrapper.output, end);
  const usage = sumUsage(wrapper.output);
  if (failure === null) return { kind: "finished", result: readResult(wrapper.output, end), usage };
  const { cause, message } = failure;
  const limit = LIMITS.includes(cause)
    ? ({ code: "STOP_RATE_LIMITED", until: findReset(end, message) } as const)
    : null;
  return { ...fail(cause, message), usage, ...limit };
}

/** The answer of a program that prints it without saying how it ended: then the exit decides. */
function readBareEnding({ seen, status }: ClaudeEnd): SessionEnding | null {
  const bare = v.safeParse(BareResult, seen.wrapper);
  if (!bare.success || status !== 0) return null;
  const { result } = bare.output;
  const text = typeof result === "string" ? result : JSON.stringify(result);
  return { kind: "finished", result: readSpokenResult(text), usage: null };
}

function findReset({ seen, nowMs }: ClaudeEnd, message: string): string | null {
  return seen.until ?? findClaudeReset(message, nowMs) ?? seen.retryAt;
}

interface Failure {
  readonly cause: string;
  readonly message: string;
}

const ROOT_REFUSAL = /cannot be used with root\/sudo privileges/u;
/** What it exits with when a signal ended it. A request that was under way then makes it 0. */
const INTERRUPTED = [0, 129, 130, 143];

function explainMissingWrapper({ status, stderr, seen }: ClaudeEnd): SessionEnding {
  const said = (stderr.split("\n").find((line) => line.trim() !== "") ?? "").trim();
  if (seen.wrapper !== undefined) return fail("malformed_wrapper", "its last object is malformed");
  if (ROOT_REFUSAL.test(stderr))
    return fail(
      "root_refused",
      "as root it refuses the permission mode bypassPermissions; choose dontAsk, or run relais as an ordinary user",
    );
  if (/^error:/imu.test(stderr)) return fail("usage_error", said);
  if (INTERRUPTED.includes(status) && said === "")
    return fail("interrupted", `it ended with exit ${status} and without a result`);
  return fail(`exit_${status}`, `it ended with exit ${status}${said === "" ? "" : `: ${said}`}`);
}

function fail(cause: string, message: string) {
  return failSession(cause, message.slice(0, MESSAGE_CHARS_MAX));
}

const SUBTYPES = new Map([
  ["error_max_turns", "max_turns"],
  ["error_max_budget_usd", "budget_exceeded"],
  ["error_max_structured_output_retries", "schema_unsatisfied"],
]);

function findFailure(wrapper: Wrapper, { status }: ClaudeEnd): Failure | null {
  const { subtype, is_error: isError, num_turns: turns, result, errors } = wrapper;
  const text = typeof result === "string" ? result : errors.join("; ");
  if (subtype === "error_during_execution") return { cause: "interrupted", message: `it was interrupted: ${text}` };
  if (subtype !== "success") return { cause: SUBTYPES.get(subtype) ?? subtype.slice(0, 80), message: text || subtype };
  if (isError) return { cause: classifyError(wrapper, text), message: text };
  if (status !== 0) return { cause: `exit_${status}`, message: `it ended with exit ${status}` };
  if (turns === 0) return { cause: "slash_command", message: `the prompt was taken for a command: ${text}` };
  if (typeof result !== "string") return { cause: "malformed_wrapper", message: "it ended well and without a result" };
  return null;
}

/** Neither a failure of the agent nor of the task: the account or the service has had enough for now. */
const LIMITS = ["usage_limit", "api_error_429", "overloaded"];
const USAGE_LIMIT = /usage limit reached|you've (?:hit|reached) your .*limit|out of usage credits/iu;

/** Waiting does not help: somebody has to pay, or another agent works. */
const NO_CREDIT = /credit balance is too low/iu;

/** These sentences say more than the status of the answer that they came with. */
const TOO_LONG = /prompt is too long|exceeds? (?:the )?context (?:limit|window)|request exceeds the maximum size/iu;
const MODEL_UNAVAILABLE = /issue with the selected model/iu;

/** The first that fits decides. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/not logged in|please run \/login|invalid api key/iu, "not_logged_in"],
  [/unable to connect|connection error|ECONN|ENOTFOUND/iu, "connection_failed"],
  [/empty or malformed response/iu, "malformed_response"],
  [/usage policy/iu, "refusal"],
  [/output token maximum/iu, "max_tokens"],
  [/timed out/iu, "api_timeout"],
];

function classifyError({ api_error_status: status, stop_reason: stop }: Wrapper, text: string): string {
  if (USAGE_LIMIT.test(text)) return "usage_limit";
  if (stop === "refusal") return "refusal";
  if (status === 529) return "overloaded";
  if (NO_CREDIT.test(text)) return "quota_exceeded";
  if (MODEL_UNAVAILABLE.test(text)) return "model_unavailable";
  if (TOO_LONG.test(text)) return "prompt_too_long";
  if (typeof status === "number") return `api_error_${status}`;
  return SENTENCES.find(([pattern]) => pattern.test(text))?.[1] ?? "api_error";
}

type Finished = Extract<SessionEnding, { readonly kind: "finished" }>;

/** The answer in the requested shape comes first; without one, the text. */
function readResult(
  { structured_output: structured, result }: Wrapper,
  { isEnveloped }: ClaudeEnd,
): Finished["result"] {
  const given = isEnveloped ? openEnvelope(structured) : structured;
  if (given !== undefined && given !== null) return { kind: "left", data: Buffer.from(JSON.stringify(given)) };
  return readSpokenResult(typeof result === "string" ? result : "");
}

function readSpokenResult(text: string): Finished["result"] {
  if (text.trim() === "") return { kind: "absent", cause: "result_missing", message: "it ended without an answer" };
  return { kind: "left", data: Buffer.from(text) };
}

function openEnvelope(envelope: unknown): unknown {
  const open = v.safeParse(v.object({ [ENVELOPE_KEY]: v.unknown() }), envelope);
  return open.success ? open.output[ENVELOPE_KEY] : undefined;
}

/** Summed over the models, because only that counts the work of sub-agents. */
function sumUsage({ modelUsage, total_cost_usd: cost }: Wrapper): Finished["usage"] {
  const models = Object.values(modelUsage);
  const sum = (amount: (model: (typeof models)[number]) => number): number =>
    Math.round(models.reduce((total, model) => total + amount(model), 0));
  const usage = v.safeParse(Usage, {
    input_tokens: sum((one) => one.inputTokens + one.cacheReadInputTokens + one.cacheCreationInputTokens),
    cached_input_tokens: sum((one) => one.cacheReadInputTokens),
    output_tokens: sum((one) => one.outputTokens),
    cost_usd: cost ?? models.reduce((total, { costUSD }) => total + costUSD, 0),
  });
  return usage.success ? usage.output : null;
}

const SECONDS = /\|(?<seconds>\d{9,11})\b/u;
const MOMENT =
  /\bresets (?:(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2}), (?:(?<year>\d{4}), )?)?(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?<half>[ap]m)\b/u;

/**
 * When a limit is lifted, from the words of Claude Code: "resets 8am", "resets Nov 18, 6:23am", "resets Jan 14, 2027,
 * 6:23am", in the time of this machine; older versions end with the seconds since the epoch. Needed where only the last
 * object is printed, and not the stream.
 */
function findClaudeReset(words: string, nowMs: number): string | null {
  const seconds = SECONDS.exec(words)?.groups?.["seconds"];
  const at = seconds === undefined ? findMoment(words, nowMs) : Number(seconds) * 1000;
  return at === null ? null : readMoment(at);
}

function findMoment(words: string, nowMs: number): number | null {
  const found = MOMENT.exec(words)?.groups;
  if (found === undefined) return null;
  const { month = null, day = null, year = null, hour = "", minute = "0", half } = found;
  return findClockMoment({ year, month, day, hour, minute, isAfternoon: half === "pm" }, nowMs);
}

/**
 * The driver for Anthropic's Claude Code, for every role.
 *
 * An orchestrator has no tools, a reviewer can only read, and a builder may write where the task allows it. That helps
 * the agent and proves nothing: its changes are measured afterwards.
 */

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
  const read = readEnding(end, { settings, request, seen, isEnveloped: schema?.isEnveloped ?? false });
  const { ending, kept } = settleRecord(read, request);
  printEnd(ending, request);
  const { durationMs, survivors, undead } = end;
  return { ...ending, durationMs, survivors, undead, notes: listNotes(settings, seen), ...kept };
}

/** It counts on from what the earlier session had spent. */
function settleRecord(
  ending: SessionEnding,
  { record }: SessionRequest,
): { readonly ending: SessionEnding; readonly kept: Pick<SessionReply, "record"> } {
  if (record === undefined || !("usage" in ending)) return { ending: nameLost(ending, record), kept: {} };
  const { usage: spent = null } = ending;
  return {
    ending: nameLost({ ...ending, usage: countOwnUsage(spent, record) }, record),
    kept: { record: { id: record.id, spent } },
  };
}

function nameLost(ending: SessionEnding, record: SessionRequest["record"]): SessionEnding {
  if (ending.kind !== "failed" || (record?.earlier ?? null) === null) return ending;
  return ending.message.includes("No conversation found") ? { ...ending, cause: SESSION_LOST } : ending;
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
    record: request.record,
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
    env: makeChildEnvironment(environment, [...listClaudeLoginNames(environment), ...environmentNames], {
      ...makeClaudeVariables({ hasFallback }),
      ...makeSessionVariables(request),
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
  const cut = findSessionCut(end, settings.command, request.outputBytesMax);
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
