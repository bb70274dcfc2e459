import type { AgentEvent } from "../../contract/agents/agent-event.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { shorten } from "../../core/words/shorten.ts";
import { neutralise } from "./neutralise.ts";

const LINE_CHARS_MAX = 160;
const DOING_CHARS_MAX = 400;

/** What an agent is doing right now, in one line; null for what is not worth one. */
export function renderAgentEvent(speaker: string, event: AgentEvent): string | null {
  const words = wordsOf(event);
  return words === null ? null : shorten(`${neutralise(speaker)}: ${neutralise(words)}`, LINE_CHARS_MAX);
}

/** The same without the speaker. */
export function renderAgentDoing(event: AgentEvent): string | null {
  const words = wordsOf(event);
  return words === null ? null : neutralise(shorten(words, DOING_CHARS_MAX));
}

function wordsOf(event: AgentEvent): string | null {
  switch (event.type) {
    case "thinking":
      return `thinks: ${oneLine(event.text)}`;
    case "text":
      return `says: ${oneLine(event.text)}`;
    case "output":
      return oneLine(event.text);
    case "tool_call":
      return used(event);
    case "tool_error":
      return `${event.tool ?? "a tool"} failed: ${oneLine(event.text)}`;
    case "usage":
      return null;
    case "retry":
      return `Retrying (${event.attempt}): ${oneLine(event.reason)}`;
    case "limit":
      return `limit: ${oneLine(event.text)}${event.until === null ? "" : `, until ${event.until}`}`;
    case "denied":
      return `was denied ${used(event)}`;
    default:
      return unreachable(event);
  }
}

function used({ tool, target }: { readonly tool: string; readonly target: string | null }): string {
  return target === null ? tool : `${tool} ${oneLine(target)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
