import * as v from "valibot";
import type { TranscriptEntry, UsedTool } from "../records/transcript-entry.ts";
import { unreachable } from "../base/errors.ts";
import { parseJson } from "../system/parse-json.ts";
import { DENIED, findTarget, isAnswer, joinText, listLimitEvents, watchClaude } from "./claude-events.ts";
import { Block, ClaudeLine } from "./claude-line.ts";
import { type CodexItem, type CodexLine, readCodexLine, listCodexEvents } from "./codex-events.ts";
import type { Driver } from "./driver.ts";
import type { AgentEvent } from "../records/agent-event.ts";

type Call = Pick<UsedTool, "tool" | "kind" | "target">;

/** The agent chooses the names, so a tool may be called as something that every object has. */
const KINDS: ReadonlyMap<string, UsedTool["kind"]> = new Map([
  ["Read", "read"],
  ["NotebookRead", "read"],
  ["Edit", "write"],
  ["MultiEdit", "write"],
  ["Write", "write"],
  ["NotebookEdit", "write"],
  ["Bash", "command"],
  ["Glob", "search"],
  ["Grep", "search"],
  ["LS", "search"],
  ["WebSearch", "search"],
]);

const FailedResult = v.object({
  type: v.literal("result"),
  is_error: v.literal(true),
  subtype: v.optional(v.string(), "error"),
  result: v.optional(v.string(), ""),
});

/** Reads the lines of Claude Code; a tool is one entry, when its result is there. */
export function readClaudeTranscript() {
  const calls = new Map<string, Call>();
  return {
    line: (text: string): readonly TranscriptEntry[] => {
      const value = parseJson(text);
      return (Array.isArray(value) ? value : [value]).flatMap((one) => readValue(one, calls));
    },
    /** Tools without a result. */
    rest: (): readonly TranscriptEntry[] => {
      const open = [...calls.values()].map((call): TranscriptEntry => ({
        type: "used",
        ...call,
        status: "open",
        exit: null,
        output: "",
      }));
      calls.clear();
      return open;
    },
  };
}

function readValue(value: unknown, calls: Map<string, Call>): readonly TranscriptEntry[] {
  const failed = v.safeParse(FailedResult, value);
  if (failed.success) return [{ type: "note", text: `${failed.output.subtype}: ${failed.output.result}` }];
  const line = v.safeParse(ClaudeLine, value);
  if (!line.success) return [];
  const { output } = line;
  switch (output.type) {
    case "assistant":
      return readBlocks(output.message.content, calls);
    case "user":
      return Array.isArray(output.message.content) ? readBlocks(output.message.content.filter(isAnswer), calls) : [];
    case "system":
      return [{ type: "note", text: `retry ${output.attempt}: ${output.error_status ?? ""} ${output.error}`.trim() }];
    case "rate_limit_event":
      return listLimitEvents(output).map(({ text, until }) => ({
        type: "note",
        text: `limit: ${text}${until === null ? "" : `, until ${until}`}`,
      }));
    default:
      return unreachable(output);
  }
}

function readBlocks(content: readonly unknown[], calls: Map<string, Call>): readonly TranscriptEntry[] {
  return content.flatMap((value) => {
    const block = v.safeParse(Block, value);
    return block.success ? readBlock(block.output, calls) : [];
  });
}

/** Hands over the result, whose summary is the last line of the session. */
const RESULT_TOOL = "StructuredOutput";

function readBlock(block: v.InferOutput<typeof Block>, calls: Map<string, Call>): readonly TranscriptEntry[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "said", text: block.text }];
    case "thinking":
      return block.thinking === "" ? [] : [{ type: "thought", text: block.thinking }];
    case "tool_use":
      calls.set(block.id, {
        tool: block.name,
        kind: KINDS.get(block.name) ?? "other",
        target: findTarget(block.input),
      });
      return [];
    case "tool_result": {
      const call = calls.get(block.tool_use_id) ?? { tool: "a tool", kind: "other", target: null };
      calls.delete(block.tool_use_id);
      if (call.tool === RESULT_TOOL && !block.is_error) return [];
      return [{ type: "used", ...call, ...readResult(joinText(block.content), block.is_error) }];
    }
    default:
      return unreachable(block);
  }
}

const EXIT = /^Exit code (?<exit>\d{1,3})(?:\n|$)/u;

function readResult(text: string, isError: boolean): Pick<UsedTool, "status" | "exit" | "output"> {
  if (!isError) return { status: "ok", exit: null, output: text };
  if (DENIED.test(text)) return { status: "denied", exit: null, output: "" };
  const exit = EXIT.exec(text);
  const code = exit?.groups?.["exit"];
  return {
    status: "failed",
    exit: code === undefined ? null : Number(code),
    output: text.slice(exit?.[0].length ?? 0),
  };
}

/** Reads the lines of codex; a command is one entry, when it has ended. */
export function readCodexTranscript() {
  const started = new Set<string>();
  return {
    line: (text: string): readonly TranscriptEntry[] => {
      const line = readCodexLine(text);
      if (line?.type === "item.started" && line.item.type === "command_execution") started.add(line.item.command);
      if (line?.type === "item.completed" && line.item.type === "command_execution") started.delete(line.item.command);
      return line === null ? [] : readLine(line);
    },
    /** Commands without an end. */
    rest: (): readonly TranscriptEntry[] => {
      const open = [...started].map((command) =>
        makeUse({ kind: "command", tool: "shell", target: command, status: "open" }),
      );
      started.clear();
      return open;
    },
  };
}

function readLine(line: CodexLine): readonly TranscriptEntry[] {
  switch (line.type) {
    case "item.completed":
      return readItem(line.item);
    case "turn.failed":
      return [{ type: "note", text: line.error.message }];
    case "error":
      return [{ type: "note", text: line.message }];
    case "thread.started":
    case "item.started":
    case "turn.completed":
      return [];
    default:
      return unreachable(line);
  }
}

function readItem(item: CodexItem): readonly TranscriptEntry[] {
  switch (item.type) {
    case "agent_message":
      return [{ type: "said", text: item.text }];
    case "reasoning":
      return [{ type: "thought", text: item.text }];
    case "command_execution":
      return [readCommand(item)];
    case "file_change":
      return item.changes.map(({ path, kind }) => {
        const status = item.status === "failed" ? "failed" : "ok";
        return makeUse({ kind: "write", tool: kind, target: path, status });
      });
    case "mcp_tool_call":
      return [makeUse({ kind: "other", tool: `${item.server}.${item.tool}`, target: null, status: "ok" })];
    case "web_search":
      return [makeUse({ kind: "search", tool: "web_search", target: item.query ?? null, status: "ok" })];
    default:
      return unreachable(item);
  }
}

function readCommand(item: Extract<CodexItem, { type: "command_execution" }>): TranscriptEntry {
  const { command: target, aggregated_output: output } = item;
  const exit = item.exit_code ?? null;
  const failed = (exit ?? 0) === 0 ? "ok" : "failed";
  const status = item.status === "declined" ? "denied" : failed;
  return { ...makeUse({ kind: "command", tool: "shell", target, status }), exit, output };
}

function makeUse(use: Pick<UsedTool, "kind" | "tool" | "target" | "status">): UsedTool {
  return { type: "used", exit: null, output: "", ...use };
}

export interface TranscriptReader {
  readonly line: (text: string) => readonly TranscriptEntry[];
  /** After the last line. */
  readonly rest: () => readonly TranscriptEntry[];
}

/** Lines before the first of a session are shown only if nothing else was said: mostly why it did not start. */
const STRAY_LINES_MAX = 50;

/** Reads a transcript line by line, whole, as a person would read it. */
export function readTranscript(driver: Driver["name"]): TranscriptReader {
  if (driver === "patch") return { line: () => [], rest: () => [] };
  if (driver === "claude_code" || driver === "codex") return readJsonTranscript();
  return { line: (text) => [{ type: "output", text }], rest: () => [] };
}

/** Both programs, because a session may be handed over, and a reviewer may have an agent of its own. */
function readJsonTranscript(): TranscriptReader {
  const readers = [readClaudeTranscript(), readCodexTranscript()];
  let isStarted = false;
  let isKnown = false;
  let stray: string[] = [];
  return {
    line: (text) => {
      const entries = readers.flatMap((reader) => reader.line(text));
      // Claude Code prints its requests between the lines of a session if a service is slow.
      isStarted ||= text.startsWith("{");
      isKnown ||= entries.length > 0;
      if (!isStarted && text.trim() !== "") stray = [...stray.slice(1 - STRAY_LINES_MAX), text];
      return entries;
    },
    rest: () => [
      ...readers.flatMap((reader) => reader.rest()),
      ...(isKnown ? [] : stray.map((text): TranscriptEntry => ({ type: "output", text }))),
    ],
  };
}

const LINE_CHARS_MAX = 400;

/** Reads a transcript line by line, as its driver did while it was written, for another process. */
export function readTranscriptEvents(
  driver: Driver["name"],
  onEvent: (event: AgentEvent) => void,
): (line: string) => void {
  switch (driver) {
    case "claude_code": {
      const watch = watchClaude(onEvent);
      return (line) => watch.line(line, line);
    }
    case "codex":
      return (line) => {
        const read = readCodexLine(line);
        if (read !== null) for (const event of listCodexEvents(read)) onEvent(event);
      };
    case "command":
    case "scripted":
      return (line) => {
        if (line.trim() !== "") onEvent({ type: "output", text: line.slice(0, LINE_CHARS_MAX) });
      };
    case "patch":
      return () => {};
    default:
      return unreachable(driver);
  }
}
