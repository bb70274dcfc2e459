/**
 * Events from the output of codex, one JSON object a line.
 *
 * The verdict of a session is `turn.completed` or `turn.failed`; lines of the type `error` are notices, also of
 * retries. The result is the last message of this stream, which only the program writes, and not a file that the agent
 * could replace.
 */
import * as v from "valibot";
import type { AgentEvent } from "../records/agent-event.ts";
import type { Usage } from "../records/agent.ts";
import { unreachable } from "../base/errors.ts";
import { parseJson } from "../system/parse-json.ts";

const TEXT_CHARS_MAX = 500;

const Tokens = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)));
const Item = v.variant("type", [
  v.object({ type: v.literal("agent_message"), text: v.string() }),
  v.object({ type: v.literal("reasoning"), text: v.string() }),
  v.object({
    type: v.literal("command_execution"),
    command: v.string(),
    aggregated_output: v.optional(v.string(), ""),
    exit_code: v.nullish(v.pipe(v.number(), v.safeInteger())),
    status: v.optional(v.string(), ""),
  }),
  v.object({
    type: v.literal("file_change"),
    changes: v.array(v.object({ path: v.string(), kind: v.optional(v.string(), "update") })),
    status: v.optional(v.string(), ""),
  }),
  v.object({ type: v.literal("mcp_tool_call"), server: v.string(), tool: v.string() }),
  v.object({ type: v.literal("web_search"), query: v.optional(v.string()) }),
]);
const Line = v.variant("type", [
  v.object({ type: v.literal("thread.started"), thread_id: v.pipe(v.string(), v.uuid()) }),
  v.object({ type: v.literal("item.started"), item: Item }),
  v.object({ type: v.literal("item.completed"), item: Item }),
  v.object({
    type: v.literal("turn.completed"),
    usage: v.optional(v.object({ input_tokens: Tokens, cached_input_tokens: Tokens, output_tokens: Tokens }), {}),
  }),
  v.object({ type: v.literal("turn.failed"), error: v.object({ message: v.string() }) }),
  v.object({ type: v.literal("error"), message: v.string() }),
]);

/** What a line says; null for one that relais does not read. */
export type CodexLine = v.InferOutput<typeof Line>;

export function readCodexLine(text: string): CodexLine | null {
  const line = v.safeParse(Line, parseJson(text));
  return line.success ? line.output : null;
}

export interface CodexProgress {
  readonly verdict: "none" | "completed" | "failed";
  /** Empty unless it failed. */
  readonly reason: string;
  readonly message: string | null;
  readonly usage: v.InferOutput<typeof Usage> | null;
  /** By which codex finds the session again. */
  readonly thread: string | null;
}

export const NO_PROGRESS: CodexProgress = { verdict: "none", reason: "", message: null, usage: null, thread: null };

export function advance(progress: CodexProgress, line: CodexLine): CodexProgress {
  switch (line.type) {
    case "thread.started":
      return { ...progress, thread: line.thread_id };
    case "item.completed":
      return line.item.type === "agent_message" ? { ...progress, message: line.item.text } : progress;
    case "turn.completed":
      return { ...progress, verdict: "completed", usage: readUsage(line) };
    case "turn.failed":
      return { ...progress, verdict: "failed", reason: line.error.message };
    case "item.started":
    case "error":
      return progress;
    default:
      return unreachable(line);
  }
}

type CompletedTurn = Extract<CodexLine, { type: "turn.completed" }>;

/** It counts tokens and never money. */
function readUsage({ usage }: CompletedTurn): v.InferOutput<typeof Usage> {
  return {
    input_tokens: usage.input_tokens ?? null,
    cached_input_tokens: usage.cached_input_tokens ?? null,
    output_tokens: usage.output_tokens ?? null,
    cost_usd: null,
  };
}

export function listCodexEvents(line: CodexLine): readonly AgentEvent[] {
  switch (line.type) {
    case "item.started":
      return listStartEvents(line.item);
    case "item.completed":
      return listEndEvents(line.item);
    case "turn.completed": {
      const { input_tokens, cached_input_tokens, output_tokens } = readUsage(line);
      const inputs = { inputTokens: input_tokens, cachedInputTokens: cached_input_tokens };
      return [{ type: "usage", ...inputs, outputTokens: output_tokens, costUsd: null }];
    }
    case "error":
      return listRetryEvents(line.message);
    case "thread.started":
    case "turn.failed":
      return [];
    default:
      return unreachable(line);
  }
}

export type CodexItem = v.InferOutput<typeof Item>;

function listStartEvents(item: CodexItem): readonly AgentEvent[] {
  switch (item.type) {
    case "command_execution":
      return [{ type: "tool_call", tool: "shell", target: cut(item.command) }];
    case "mcp_tool_call":
      return [{ type: "tool_call", tool: cut(`${item.server}.${item.tool}`), target: null }];
    case "web_search":
      return [{ type: "tool_call", tool: "web_search", target: cut(item.query ?? "") }];
    case "agent_message":
    case "reasoning":
    case "file_change":
      return [];
    default:
      return unreachable(item);
  }
}

/** A change of files is reported only when it is done, and a refused command has no start. */
function listEndEvents(item: CodexItem): readonly AgentEvent[] {
  switch (item.type) {
    case "agent_message":
      return [{ type: "text", text: cut(item.text) }];
    case "reasoning":
      return [{ type: "thinking", text: cut(item.text) }];
    case "command_execution":
      return listCommandEvents(item);
    case "file_change":
      return item.changes.map(({ path }) =>
        item.status === "failed"
          ? { type: "tool_error", tool: "apply_patch", text: cut(path) }
          : { type: "tool_call", tool: "apply_patch", target: cut(path) },
      );
    case "mcp_tool_call":
    case "web_search":
      return [];
    default:
      return unreachable(item);
  }
}

function listCommandEvents(item: Extract<CodexItem, { type: "command_execution" }>): readonly AgentEvent[] {
  if (item.status === "declined") return [{ type: "denied", tool: "shell", target: cut(item.command) }];
  if ((item.exit_code ?? 0) === 0) return [];
  const text = item.aggregated_output.trim().slice(-TEXT_CHARS_MAX);
  return [{ type: "tool_error", tool: "shell", text: text === "" ? `exit ${item.exit_code}` : text }];
}

const REPEATED = /^Reconnecting\.\.\. (?<attempt>\d{1,4})\/\d+ ?(?<reason>[\s\S]*)$/;

function listRetryEvents(message: string): readonly AgentEvent[] {
  const { attempt, reason = "" } = REPEATED.exec(message)?.groups ?? {};
  return attempt === undefined ? [] : [{ type: "retry", attempt: Number(attempt), reason: cut(reason) }];
}

const cut = (text: string): string => text.slice(0, TEXT_CHARS_MAX);
