import type { AgentEvent } from "../records/agent-event.ts";
import { unreachable } from "../base/errors.ts";
import { shorten } from "../base/words.ts";
import { neutralise } from "../base/style.ts";

const LINE_CHARS_MAX = 160;
const DOING_CHARS_MAX = 400;

/** What an agent is doing right now, in one line; null for what is not worth one. */
export function renderAgentEvent(speaker: string, event: AgentEvent): string | null {
  const words = describeEvent(event);
  return words === null ? null : shorten(`${neutralise(speaker)}: ${neutralise(words)}`, LINE_CHARS_MAX);
}

/** The same without the speaker. */
export function renderAgentDoing(event: AgentEvent): string | null {
  const words = describeEvent(event);
  return words === null ? null : neutralise(shorten(words, DOING_CHARS_MAX));
}

function describeEvent(event: AgentEvent): string | null {
  switch (event.type) {
    case "thinking":
      return `thinks: ${joinWords(event.text)}`;
    case "text":
      return `says: ${joinWords(event.text)}`;
    case "output":
      return joinWords(event.text);
    case "tool_call":
      return describeTool(event);
    case "tool_error":
      return `${event.tool ?? "a tool"} failed: ${joinWords(event.text)}`;
    case "usage":
      return null;
    case "retry":
      return `Retrying (${event.attempt}): ${joinWords(event.reason)}`;
    case "limit":
      return `limit: ${joinWords(event.text)}${event.until === null ? "" : `, until ${event.until}`}`;
    case "denied":
      return `was denied ${describeTool(event)}`;
    default:
      return unreachable(event);
  }
}

function describeTool({ tool, target }: { readonly tool: string; readonly target: string | null }): string {
  return target === null ? tool : `${tool} ${joinWords(target)}`;
}

function joinWords(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
