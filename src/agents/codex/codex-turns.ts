/**
 * How many turns a session of codex has taken, from its stream.
 *
 * Codex has no limit of turns and does not count them. A turn is one answer of the model; calls of one answer run side
 * by side, so a turn is over when everything that was called has ended.
 */
import { unreachable } from "../../contract/values/invariant.ts";
import type { CodexLine } from "./codex-events.ts";

export interface CodexTurns {
  /** The turns that ended with calls of tools; the last one, which only speaks, is not among them. */
  readonly ended: number;
  /** How many calls are under way. */
  readonly running: number;
}

export const NO_TURNS: CodexTurns = { ended: 0, running: 0 };

export function countTurns(turns: CodexTurns, line: CodexLine): CodexTurns {
  if (line.type !== "item.started" && line.type !== "item.completed") return turns;
  if (!isCall(line.item)) return turns;
  if (line.type === "item.started") return { ...turns, running: turns.running + 1 };
  // A call that was refused, and a change of files in some versions, is told only when it is over.
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
