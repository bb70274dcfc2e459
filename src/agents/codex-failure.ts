/**
 * Why a session of codex failed, from its message: the exit status is always 1. An unknown message is `turn_failed`.
 */
import { findClockMoment, readMoment } from "./driver.ts";

export interface CodexFailure {
  readonly code: "STOP_INTERRUPTED" | "STOP_RATE_LIMITED";
  readonly cause: string;
  /** As an ISO time; null where that is not known or where it is no limit. */
  readonly until: string | null;
}

const USAGE_LIMIT = /hit your usage limit/i;
/** The first that fits decides. */
const LIMITS: readonly (readonly [RegExp, string])[] = [
  [/\b429\b|rate limit/i, "api_error_429"],
  [/\bat capacity\b|\b529\b/i, "overloaded"],
];
/** These sentences say more than the status of the answer that they came with. */
const PLAIN_CAUSES: readonly (readonly [RegExp, string])[] = [
  [/context window|context_length_exceeded|maximum (?:context )?length/i, "prompt_too_long"],
  [
    /\bmodel\b.*(?:does not exist|not found|is not supported|requires a newer version)|model_not_found/i,
    "model_unavailable",
  ],
];
const FAILURES: readonly (readonly [RegExp, string])[] = [
  [/quota exceeded/i, "quota_exceeded"],
  [/experiencing high demand/i, "server_error"],
  [/missing environment variable|not logged in/i, "not_logged_in"],
  [/connection failed|error sending request/i, "connection_failed"],
  [/idle timeout/i, "stream_stalled"],
  [/max_output_tokens/i, "max_tokens"],
  [/stream disconnected|stream closed/i, "stream_cut"],
  [/^\s*\{[\s\S]*"error"/, "request_refused"],
];
const STATUS = /\b(?:unexpected status|last status:) (?<status>\d{3})\b/;
/** Where codex names the status of an answer, the number of a limit elsewhere in the sentence is part of a name. */
const LIMIT_STATUSES = ["429", "529"];

export function readCodexFailure(reason: string, nowMs: number): CodexFailure {
  const status = STATUS.exec(reason)?.groups?.["status"];
  const limit = findLimit(reason, status);
  if (limit !== null) return { code: "STOP_RATE_LIMITED", cause: limit, until: findCodexReset(reason, nowMs) };
  const plain = findCause(PLAIN_CAUSES, reason);
  const known = status === undefined ? findCause(FAILURES, reason) : `api_error_${status}`;
  return { code: "STOP_INTERRUPTED", cause: plain ?? known ?? "turn_failed", until: null };
}

function findLimit(reason: string, status: string | undefined): string | null {
  if (USAGE_LIMIT.test(reason)) return "usage_limit";
  if (status !== undefined && !LIMIT_STATUSES.includes(status)) return null;
  return findCause(LIMITS, reason);
}

function findCause(causes: readonly (readonly [RegExp, string])[], reason: string): string | null {
  return causes.find(([pattern]) => pattern.test(reason))?.[1] ?? null;
}

const WAIT = /try again in (?<wait>(?:\d+(?:\.\d+)? ?(?:ms|seconds?|minutes?|hours?|days?|[smhd])[ ,]*)+)/i;
const WAIT_PART = /(?<amount>\d+(?:\.\d+)?) ?(?<unit>ms|[smhd])/gi;
const MOMENT =
  /try again at (?:(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2})(?:st|nd|rd|th), (?<year>\d{4}) )?(?<hour>\d{1,2}):(?<minute>\d{2}) (?<half>[AP]M)/;
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Longer than any limit lasts. A number beyond it is a mistake, and no date can be made of it. */
const WAIT_MS_MAX = 366 * 86_400_000;

/**
 * When a limit is lifted, from the words of codex: "try again in 11.054s", "try again at 9:35 AM", "try again at Nov
 * 18th, 2026 6:55 PM". A time of day is in the zone of this machine, as codex itself shows it.
 */
export function findCodexReset(words: string, nowMs: number): string | null {
  const wait = WAIT.exec(words)?.groups?.["wait"];
  const at = wait === undefined ? findMoment(words, nowMs) : nowMs + measureWait(wait);
  if (at === null || Number.isNaN(at) || at - nowMs > WAIT_MS_MAX) return null;
  return readMoment(at);
}

function measureWait(wait: string): number {
  let total = 0;
  for (const { groups } of wait.matchAll(WAIT_PART))
    total += Number(groups?.["amount"]) * (UNIT_MS[(groups?.["unit"] ?? "").toLowerCase()] ?? 0);
  return Math.ceil(total);
}

function findMoment(words: string, nowMs: number): number | null {
  const { month = null, day = null, year = null, hour, minute, half } = MOMENT.exec(words)?.groups ?? {};
  if (hour === undefined || minute === undefined) return null;
  return findClockMoment({ year, month, day, hour, minute, isAfternoon: half === "PM" }, nowMs);
}
