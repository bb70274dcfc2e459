/**
 * Why a session of codex failed, from the sentence that it gives.
 *
 * There is nothing else to go by: the exit status is 1 for all of it. What nobody recognises is `turn_failed`, with the
 * sentence as it stands. A limit of the account is nobody's fault, and it is told when it is lifted where codex knows.
 */
import { findCodexReset } from "./codex-reset.ts";

export interface CodexFailure {
  readonly code: "STOP_INTERRUPTED" | "STOP_RATE_LIMITED";
  readonly cause: string;
  /** When the limit is lifted, as an ISO time; null where that is not known or where it is no limit. */
  readonly until: string | null;
}

const USAGE_LIMIT = /hit your usage limit/i;
/** The first that fits decides. */
const LIMITS: readonly (readonly [RegExp, string])[] = [
  [/\b429\b|rate limit/i, "api_error_429"],
  [/\bat capacity\b|\b529\b/i, "overloaded"],
];
const FAILURES: readonly (readonly [RegExp, string])[] = [
  [/quota exceeded/i, "quota_exceeded"],
  [/experiencing high demand/i, "server_error"],
  [/missing environment variable|not logged in/i, "not_logged_in"],
  [/connection failed|error sending request/i, "connection_failed"],
  [/idle timeout/i, "stream_stalled"],
  [/max_output_tokens/i, "max_tokens"],
  [/context window|maximum length/i, "prompt_too_long"],
  [/stream disconnected|stream closed/i, "stream_cut"],
  [/\bmodel\b.*(?:does not exist|not found|not supported)/i, "model_unavailable"],
  [/^\s*\{[\s\S]*"error"/, "request_refused"],
];
const STATUS = /\b(?:unexpected status|last status:) (?<status>\d{3})\b/;
/** Where codex names the status of an answer, the number of a limit elsewhere in the sentence is part of a name. */
const LIMIT_STATUSES = ["429", "529"];

export function readCodexFailure(reason: string, nowMs: number): CodexFailure {
  const status = STATUS.exec(reason)?.groups?.["status"];
  const limit = limitIn(reason, status);
  if (limit !== null) return { code: "STOP_RATE_LIMITED", cause: limit, until: findCodexReset(reason, nowMs) };
  const known = FAILURES.find(([pattern]) => pattern.test(reason))?.[1] ?? "turn_failed";
  return {
    code: "STOP_INTERRUPTED",
    cause: status === undefined ? known : `api_error_${status}`,
    until: null,
  };
}

function limitIn(reason: string, status: string | undefined): string | null {
  if (USAGE_LIMIT.test(reason)) return "usage_limit";
  if (status !== undefined && !LIMIT_STATUSES.includes(status)) return null;
  return LIMITS.find(([pattern]) => pattern.test(reason))?.[1] ?? null;
}
