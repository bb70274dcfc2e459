/**
 * Events from the output of Claude Code, one JSON object a line.
 *
 * With `stream-json` the lines come one by one, with `json` the last one alone, or all of them in one array. Either way
 * the last object of the type `result` counts.
 */
import * as v from "valibot";
import type { AgentEvent } from "../records/agent-event.ts";
import { unreachable } from "../base/errors.ts";
import { readClockMs } from "../system/clock.ts";
import { parseJson } from "../system/parse-json.ts";
import { BareResult, Block, ClaudeLine } from "./claude-line.ts";
import { readMoment } from "./driver.ts";
import type { OnLine } from "./supervise-session.ts";

const TEXT_CHARS_MAX = 500;
/** No more calls are remembered at a time; the answer to a forgotten one names no tool. */
const CALLS_MAX = 10_000;

interface Denial {
  readonly tool: string;
  readonly target: string | null;
}

export interface ClaudeSeen {
  /** The last object of the type `result`, unread; undefined where there was none. */
  readonly wrapper: unknown;
  /** When the limit is lifted that the session ran into, as an ISO time. */
  readonly until: string | null;
  /** When the service said that it may be asked again, as an ISO time. */
  readonly retryAt: string | null;
  readonly denials: readonly Denial[];
}

export interface ClaudeWatch {
  /** Takes one line of the output; other lines than ours are skipped. */
  readonly line: OnLine;
  readonly seen: () => ClaudeSeen;
}

export function watchClaude(onEvent: (event: AgentEvent) => void): ClaudeWatch {
  let wrapper: unknown;
  const retryAfter = watchRetryAfter();
  let until: string | null = null;
  const calls = new Map<string, Denial>();
  const denials = new Map<string, Denial>();
  const messages = { lastId: "", input: 0, cached: 0 };
  const tell = (value: unknown): void => {
    const line = v.safeParse(ClaudeLine, value);
    if (!line.success) return;
    if (isRejection(line.output)) until = readReset(line.output) ?? until;
    for (const event of listLineEvents(line.output, { calls, denials, messages })) onEvent(event);
  };
  return {
    line: (shown, told) => {
      const values = parseValues(shown);
      wrapper = (told === shown ? values : parseValues(told)).findLast(isResult) ?? wrapper;
      for (const value of values) tell(value);
      retryAfter.line(shown);
    },
    seen: () => ({ wrapper, until, retryAt: retryAfter.at(), denials: [...denials.values()] }),
  };
}

function parseValues(text: string): readonly unknown[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value : [value];
}

const isResult = (value: unknown): boolean =>
  v.is(v.object({ type: v.literal("result") }), value) || v.is(BareResult, value);

/** The other texts of a user message are from the program itself. */
export const isAnswer = (block: unknown): boolean => v.is(v.object({ type: v.literal("tool_result") }), block);

interface Memory {
  readonly calls: Map<string, Denial>;
  readonly denials: Map<string, Denial>;
  /** The same message comes once for each of its blocks and is counted once. */
  readonly messages: { lastId: string; input: number; cached: number };
}

function listLineEvents(line: ClaudeLine, memory: Memory): readonly AgentEvent[] {
  switch (line.type) {
    case "assistant":
      return [...listBlockEvents(line.message.content, memory), ...countUsage(line.message, memory)];
    case "user":
      return Array.isArray(line.message.content) ? listBlockEvents(line.message.content.filter(isAnswer), memory) : [];
    case "system": {
      const reason = `${line.error_status ?? ""} ${line.error}`.trim();
      return [{ type: "retry", attempt: line.attempt, reason: cut(reason) }];
    }
    case "rate_limit_event":
      return listLimitEvents(line);
    default:
      return unreachable(line);
  }
}

function listBlockEvents(content: readonly unknown[], memory: Memory): readonly AgentEvent[] {
  return content.flatMap((value) => {
    const block = v.safeParse(Block, value);
    return block.success ? readBlock(block.output, memory) : [];
  });
}

type Block = v.InferOutput<typeof Block>;

function readBlock(block: Block, memory: Memory): readonly AgentEvent[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: cut(block.text) }];
    case "thinking":
      return [{ type: "thinking", text: cut(block.thinking) }];
    case "tool_use": {
      const target = findTarget(block.input);
      const call = { tool: cut(block.name), target: target === null ? null : cut(target) };
      if (memory.calls.size < CALLS_MAX) memory.calls.set(block.id, call);
      return [{ type: "tool_call", ...call }];
    }
    case "tool_result":
      return readAnswer(block, memory);
    default:
      return unreachable(block);
  }
}

/** Only failures are reported; what a tool found is in the transcript. */
function readAnswer(
  { tool_use_id: id, is_error: isError, content }: Extract<Block, { type: "tool_result" }>,
  { calls, denials }: Memory,
): readonly AgentEvent[] {
  const call = calls.get(id);
  calls.delete(id);
  if (!isError) return [];
  const text = joinText(content);
  if (call === undefined || !DENIED.test(text))
    return [{ type: "tool_error", tool: call?.tool ?? null, text: cut(text) }];
  if (denials.size < CALLS_MAX) denials.set(id, call);
  return [{ type: "denied", ...call }];
}

/** How it reports a denied tool: by the mode, by a rule, or because nobody is there to ask. */
export const DENIED =
  /^Permission to use .+ has been denied|denied by your permission settings|^Claude requested permissions? to|requires approval/u;

const TARGET = v.pipe(v.string(), v.minLength(1));
const TARGET_KEYS = ["file_path", "notebook_path", "command", "pattern", "path", "url", "query"];

export function findTarget(input: unknown): string | null {
  if (typeof input !== "object" || input === null) return null;
  const entries = new Map<string, unknown>(Object.entries(input));
  const target = TARGET_KEYS.map((key) => entries.get(key)).find((value) => v.is(TARGET, value));
  return v.is(TARGET, target) ? target : null;
}

export function joinText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = v.safeParse(v.array(v.object({ text: v.optional(v.string(), "") })), content);
  return parts.success ? parts.output.map(({ text }) => text).join("\n") : "";
}

type Assistant = Extract<ClaudeLine, { type: "assistant" }>["message"];

/** How much was read so far. How much was written is known only at the end. */
function countUsage({ id, usage }: Assistant, { messages }: Memory): readonly AgentEvent[] {
  if (usage === undefined || id === messages.lastId) return [];
  messages.lastId = id;
  messages.cached += usage.cache_read_input_tokens;
  messages.input += usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
  const { input: inputTokens, cached: cachedInputTokens } = messages;
  return [{ type: "usage", inputTokens, cachedInputTokens, outputTokens: null, costUsd: null }];
}

type Limit = Extract<ClaudeLine, { type: "rate_limit_event" }>;

/** An account that is not used up reports its next reset as well, and that is nothing to wait for. */
function isRejection(line: ClaudeLine): line is Limit {
  return line.type === "rate_limit_event" && line.rate_limit_info.status === "rejected";
}

export function listLimitEvents(line: Limit): readonly Extract<AgentEvent, { type: "limit" }>[] {
  const { status, rateLimitType, utilization } = line.rate_limit_info;
  if (status === "allowed") return [];
  const used = typeof utilization === "number" ? `, ${Math.round(utilization * 100)} % used` : "";
  return [{ type: "limit", text: cut(`${rateLimitType} ${status}${used}`), until: readReset(line) }];
}

function readReset({ rate_limit_info: { resetsAt } }: Limit): string | null {
  return typeof resetsAt === "number" ? readMoment(Math.round(resetsAt * 1000)) : null;
}

const cut = (text: string): string => text.slice(0, TEXT_CHARS_MAX);

const STATUS = /^\s*status: (?<status>\d{3}),$/u;
const RETRY_AFTER = /^\s*"retry-after": "(?<seconds>\d{1,8})(?:\.\d+)?",?$/u;
const LIMITS = ["429", "529"];

/**
 * How long the service asks Claude Code to wait, from the log of its requests: the stream has the limits of a plan and
 * no `retry-after`. The log prints each error over several lines, the status before the headers.
 */
function watchRetryAfter() {
  let status = "";
  let atMs: number | null = null;
  return {
    line: (text: string): void => {
      status = STATUS.exec(text)?.groups?.["status"] ?? status;
      const seconds = RETRY_AFTER.exec(text)?.groups?.["seconds"];
      if (seconds !== undefined && LIMITS.includes(status)) atMs = readClockMs() + Number(seconds) * 1000;
    },
    at: () => (atMs === null ? null : readMoment(atMs)),
  };
}
