import * as v from "valibot";
import type { TranscriptEntry, UsedTool } from "../records/transcript-entry.ts";
import { unreachable } from "../base/invariant.ts";
import { parseJson } from "../system/parse-json.ts";
import { DENIED, findTarget, isAnswer, joinText, listLimitEvents } from "./claude-events.ts";
import { Block, ClaudeLine } from "./claude-line.ts";

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
