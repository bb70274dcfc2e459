/** One agent: its current activity, its last message and its session. */
import type { AgentEvent } from "../../contract/agents/agent-event.ts";
import { counted } from "../../core/words/counted.ts";
import { agentDoing } from "../text/agent-event-text.ts";
import { oneLine } from "../cards/report-words.ts";
import { dollars } from "../../core/words/dollars.ts";
import { clock, type Line, roomBeside, row, span, type Span, spread } from "./frame-line.ts";
import type { PartPlace } from "./frame-place.ts";
import type { LiveAgent } from "./live-model.ts";

const SAID_CHARS = 400;
/** Silence that is worth telling. */
const SILENCE_MS = 2000;

export function agentRows(
  agent: LiveAgent,
  { columns, now, driver }: PartPlace & { readonly driver: string },
): readonly Line[] {
  const { said, doing } = agent;
  const isSaid = said !== null && doing?.type !== "text";
  return [
    row(agent.speaker, doingLine(agent, { now, columns: roomBeside(columns) }), columns),
    ...(isSaid ? [row("", [span(`“${oneLine(said.slice(0, SAID_CHARS))}”`, "faint")], columns)] : []),
    row("", [span(factsOf(agent, driver), "faint")], columns),
  ];
}

const MARKS: Readonly<Record<AgentEvent["type"], Span>> = {
  thinking: span("…", "faint"),
  text: span("›", "strong"),
  output: span("│", "faint"),
  tool_call: span("▸", "good"),
  tool_error: span("✗", "bad"),
  usage: span("·", "faint"),
  retry: span("↻", "bad"),
  limit: span("!", "bad"),
  denied: span("✗", "bad"),
};

/** What it does, and for how long nothing else was heard. */
export function doingLine({ doing, doingMs, startedMs }: LiveAgent, { columns, now }: PartPlace): Line {
  const sinceMs = now - (doing === null ? startedMs : doingMs);
  const since = sinceMs < SILENCE_MS ? [] : [span(clock(sinceMs), "faint")];
  const words = doing === null ? null : agentDoing(doing);
  if (doing === null || words === null) return spread([span("starting", "faint")], since, columns);
  return spread([MARKS[doing.type], span(` ${words}`)], since, columns);
}

function factsOf({ tools, usage }: LiveAgent, driver: string): string {
  return [
    driver,
    ...(tools === 0 ? [] : [counted(tools, "tool call")]),
    ...(usage === null ? [] : usageWords(usage)),
  ].join(" · ");
}

/** Only what its program has reported. */
function usageWords({
  inputTokens,
  outputTokens,
  costUsd,
}: Extract<AgentEvent, { type: "usage" }>): readonly string[] {
  const tokens = [
    ...(inputTokens === null ? [] : [`${short(inputTokens)} tokens in`]),
    ...(outputTokens === null ? [] : [`${short(outputTokens)} out`]),
  ];
  return [
    ...(tokens.length === 0 ? [] : [tokens.join(", ")]),
    ...(costUsd === null ? [] : [dollars(costUsd)]),
  ];
}

const THOUSAND = 1000;
const MILLION = 1_000_000;

function short(count: number): string {
  if (count < THOUSAND) return String(count);
  if (count < MILLION) return `${(count / THOUSAND).toFixed(1)}k`;
  return `${(count / MILLION).toFixed(1)}M`;
}
