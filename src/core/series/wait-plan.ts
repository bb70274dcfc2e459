/** How long a series waits for a service that refused it, in milliseconds since the epoch and lengths of time. */
export interface WaitQuestion {
  readonly nowMs: number;
  /** When the service will answer again, where it said so. */
  readonly untilMs: number | null;
  /** The waits since the last tick that was not refused. */
  readonly waitedMs: readonly number[];
  readonly maxWaitMs: number;
}

export type WaitPlan = { readonly kind: "wait"; readonly untilMs: number } | { readonly kind: "give_up" };

const FIRST_WAIT_MS = 60_000;
/** A wait is recorded a moment after it was planned, so it looks a little shorter than it was. */
const SLACK_MS = 100;

/**
 * Waits as long as the service asks, or twice as long each time where it asks for nothing; all of it together never
 * longer than what is configured. A wait that could not be long enough is not begun. A moment that is over already is
 * believed once: a service that refuses again with such a moment has asked for nothing.
 */
export function waitPlan({ nowMs, untilMs, waitedMs, maxWaitMs }: WaitQuestion): WaitPlan {
  const leftMs = maxWaitMs - waitedMs.reduce((sum, ms) => sum + ms, 0);
  if (leftMs < SLACK_MS) return { kind: "give_up" };
  const isStale = untilMs !== null && untilMs <= nowMs && waitedMs.length > 0;
  if (untilMs === null || isStale)
    return { kind: "wait", untilMs: nowMs + Math.min(leftMs, FIRST_WAIT_MS * 2 ** waitedMs.length) };
  if (untilMs - nowMs > leftMs) return { kind: "give_up" };
  return { kind: "wait", untilMs: Math.max(untilMs, nowMs) };
}
