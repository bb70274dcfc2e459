/**
 * Watches one session of codex and enforces two limits that codex does not have: on its turns, and on a wait for its
 * service.
 */
import type { AgentEvent } from "../records/agent-event.ts";
import { unreachable } from "../base/errors.ts";
import { readMoment } from "./driver.ts";
import type { SessionEnding } from "./driver.ts";
import { failSession } from "./supervise-session.ts";
import type { OnLine } from "./supervise-session.ts";
import {
  advance,
  listCodexEvents,
  type CodexLine,
  type CodexProgress,
  NO_PROGRESS,
  readCodexLine,
} from "./codex-events.ts";
import { readCodexFailure } from "./codex-failure.ts";

const QUOTED_CHARS_MAX = 1000;

/** What is logged on standard error: the usual errors, and each wait. */
export const CODEX_LOG = "error,codex_core::responses_retry=warn";

/** A longer wait is for relais: it costs nothing, and a loop shows it. */
const WAIT_MS_MAX = 60_000;

const WAIT =
  /retrying sampling request \(\d+\/\d+ in (?<amount>\d+(?:\.\d+)?)(?<unit>ns|µs|ms|s)\).*?sampling_error=(?<reason>.*)$/u;
const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, µs: 1e-3, ms: 1, s: 1000 };

/**
 * How long codex is about to wait, from its log; null for a line about anything else. It waits as long as its service
 * asks, even an hour, and only the log has the length: "retrying sampling request (1/5 in 3599.99s)...
 * sampling_error=exceeded retry limit, last status: 429".
 */
function findCodexWait(line: string, nowMs: number): { readonly ms: number; readonly reason: string } | null {
  const { amount, unit, reason = "" } = WAIT.exec(line)?.groups ?? {};
  if (readCodexFailure(reason, nowMs).code !== "STOP_RATE_LIMITED") return null;
  return { ms: Math.ceil(Number(amount) * (UNIT_MS[unit ?? ""] ?? Number.NaN)), reason };
}

export interface CodexWatch {
  readonly line: OnLine;
  readonly errorLine: (line: string) => void;
  /** Aborted once the session must end; the cut says why. */
  readonly stop: AbortSignal;
  readonly progress: () => CodexProgress;
  /** Why the watch ended it; null where it did not. */
  readonly cut: () => SessionEnding | null;
  /** The limit that it waited for when somebody else ended it; null where it did not wait. */
  readonly pending: () => SessionEnding | null;
}

interface WatchRequest {
  readonly maxTurns: number | null;
  readonly onEvent: (event: AgentEvent) => void;
  readonly nowMs: () => number;
}

type FailedEnding = Extract<SessionEnding, { kind: "failed" }>;

export function watchCodex({ maxTurns, onEvent, nowMs }: WatchRequest): CodexWatch {
  const stop = new AbortController();
  let progress = NO_PROGRESS;
  let turns = NO_TURNS;
  let cut: FailedEnding | null = null;
  let pending: FailedEnding | null = null;
  const end = (why: FailedEnding): void => {
    cut ??= why;
    stop.abort();
  };
  const take = (line: CodexLine): void => {
    progress = advance(progress, line);
    turns = countTurns(turns, line);
    if (line.type === "error") pending = findLimit(line.message, nowMs()) ?? pending;
    else pending = null;
    if (maxTurns !== null && turns.ended >= maxTurns)
      end(failSession("max_turns", `it was ended after ${maxTurns} turns`));
  };
  return {
    line: (shown, told) => {
      const line = readCodexLine(told);
      if (line !== null) take(line);
      const visible = shown === told ? line : readCodexLine(shown);
      for (const event of visible === null ? [] : listCodexEvents(visible)) onEvent(event);
    },
    errorLine: (text) => {
      const wait = findCodexWait(text, nowMs());
      if (wait === null) return;
      const limit = findLimit(wait.reason, nowMs());
      pending = limit === null ? null : { ...limit, until: readMoment(nowMs() + wait.ms) };
      if (pending !== null && wait.ms > WAIT_MS_MAX) end(pending);
    },
    stop: stop.signal,
    progress: () => progress,
    cut: () => cut,
    pending: () => pending,
  };
}

function findLimit(words: string, nowMs: number): FailedEnding | null {
  const failure = readCodexFailure(words, nowMs);
  if (failure.code !== "STOP_RATE_LIMITED") return null;
  return { kind: "failed", ...failure, message: words.trim().slice(0, QUOTED_CHARS_MAX) };
}

/**
 * Codex does not count turns. A turn is one answer of the model; the calls of one answer run side by side, so a turn is
 * over when all of them have ended.
 */
interface CodexTurns {
  /** The turns that ended with tool calls; the last one, which only answers, is not among them. */
  readonly ended: number;
  readonly running: number;
}

const NO_TURNS: CodexTurns = { ended: 0, running: 0 };

function countTurns(turns: CodexTurns, line: CodexLine): CodexTurns {
  if (line.type !== "item.started" && line.type !== "item.completed") return turns;
  if (!isCall(line.item)) return turns;
  if (line.type === "item.started") return { ...turns, running: turns.running + 1 };
  // A call that was refused, and a change of files in some versions, is reported only when it is over.
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
