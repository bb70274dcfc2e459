/** One agent: its current activity, its last message and its session. */
import type { AgentEvent } from "../records/agent-event.ts";
import { countNoun, formatDollars } from "../base/words.ts";
import { renderAgentDoing } from "./agent-event-text.ts";
import { joinLines } from "./report-words.ts";
import {
  formatClock,
  type FrameLine,
  measureRoomBeside,
  makeRow,
  makeSpan,
  type Span,
  spreadCells,
  type PartPlace,
} from "./frame-line.ts";
import type { LiveAgent } from "./live-model.ts";

const SAID_CHARS = 400;
/** A shorter silence is not shown. */
const SILENCE_MS = 2000;

export function renderAgentRows(
  agent: LiveAgent,
  { columns, now, driver }: PartPlace & { readonly driver: string },
): readonly FrameLine[] {
  const { said, doing } = agent;
  const isSaid = said !== null && doing?.type !== "text";
  return [
    makeRow(agent.speaker, renderDoingLine(agent, { now, columns: measureRoomBeside(columns) }), columns),
    ...(isSaid ? [makeRow("", [makeSpan(`“${joinLines(said.slice(0, SAID_CHARS))}”`, "faint")], columns)] : []),
    makeRow("", [makeSpan(describeSession(agent, driver), "faint")], columns),
  ];
}

const MARKS: Readonly<Record<AgentEvent["type"], Span>> = {
  thinking: makeSpan("…", "faint"),
  text: makeSpan("›", "strong"),
  output: makeSpan("│", "faint"),
  tool_call: makeSpan("▸", "good"),
  tool_error: makeSpan("✗", "bad"),
  usage: makeSpan("·", "faint"),
  retry: makeSpan("↻", "bad"),
  limit: makeSpan("!", "bad"),
  denied: makeSpan("✗", "bad"),
};

/** What it does, and for how long nothing else was heard. */
export function renderDoingLine({ doing, doingMs, startedMs }: LiveAgent, { columns, now }: PartPlace): FrameLine {
  const sinceMs = now - (doing === null ? startedMs : doingMs);
  const since = sinceMs < SILENCE_MS ? [] : [makeSpan(formatClock(sinceMs), "faint")];
  const words = doing === null ? null : renderAgentDoing(doing);
  if (doing === null || words === null) return spreadCells([makeSpan("starting", "faint")], since, columns);
  return spreadCells([MARKS[doing.type], makeSpan(` ${words}`)], since, columns);
}

function describeSession({ tools, usage }: LiveAgent, driver: string): string {
  return [
    driver,
    ...(tools === 0 ? [] : [countNoun(tools, "tool call")]),
    ...(usage === null ? [] : describeUsage(usage)),
  ].join(" · ");
}

/** Only what its program has reported. */
function describeUsage({
  inputTokens,
  outputTokens,
  costUsd,
}: Extract<AgentEvent, { type: "usage" }>): readonly string[] {
  const tokens = [
    ...(inputTokens === null ? [] : [`${shortenCount(inputTokens)} tokens in`]),
    ...(outputTokens === null ? [] : [`${shortenCount(outputTokens)} out`]),
  ];
  return [...(tokens.length === 0 ? [] : [tokens.join(", ")]), ...(costUsd === null ? [] : [formatDollars(costUsd)])];
}

const THOUSAND = 1000;
const MILLION = 1_000_000;

function shortenCount(count: number): string {
  if (count < THOUSAND) return String(count);
  if (count < MILLION) return `${(count / THOUSAND).toFixed(1)}k`;
  return `${(count / MILLION).toFixed(1)}M`;
}
