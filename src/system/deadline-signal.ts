import { readClockMs } from "./clock.ts";

/** A timer that is asked for more than this fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Aborted at the deadline, in milliseconds since the epoch, and never where that is weeks away. */
export function makeDeadlineSignal(deadlineAt: number): AbortSignal {
  const remainingMs = Math.ceil(deadlineAt - readClockMs());
  if (remainingMs > TIMER_MS_MAX) return new AbortController().signal;
  return remainingMs <= 0 ? AbortSignal.abort() : AbortSignal.timeout(remainingMs);
}
