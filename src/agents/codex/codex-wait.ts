/**
 * How long codex is about to wait before it asks again, from its log.
 *
 * It waits as long as its service asks, an hour too, and its stream says only that it does. The log has the length:
 * "retrying sampling request (1/5 in 3599.99s)... sampling_error=exceeded retry limit, last status: 429".
 */
import { readCodexFailure } from "./codex-failure.ts";

/** What is logged on standard error: the usual errors, and each wait. */
export const CODEX_LOG = "error,codex_core::responses_retry=warn";

/** A longer wait is for relais: it costs nothing, and a loop shows it. */
export const WAIT_MS_MAX = 60_000;

const WAIT =
  /retrying sampling request \(\d+\/\d+ in (?<amount>\d+(?:\.\d+)?)(?<unit>ns|µs|ms|s)\).*?sampling_error=(?<reason>.*)$/u;
const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, µs: 1e-3, ms: 1, s: 1000 };

export interface CodexWait {
  readonly ms: number;
  readonly reason: string;
}

/** Null for a line about anything else. */
export function findCodexWait(line: string, nowMs: number): CodexWait | null {
  const { amount, unit, reason = "" } = WAIT.exec(line)?.groups ?? {};
  if (readCodexFailure(reason, nowMs).code !== "STOP_RATE_LIMITED") return null;
  return { ms: Math.ceil(Number(amount) * (UNIT_MS[unit ?? ""] ?? Number.NaN)), reason };
}
