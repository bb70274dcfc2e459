import type { TranscriptEntry, UsedTool } from "../records/transcript-entry.ts";
import { unreachable } from "../base/invariant.ts";
import { type CodexItem, type CodexLine, readCodexLine } from "./codex-events.ts";

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
