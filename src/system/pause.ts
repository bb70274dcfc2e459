import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { readClockMs } from "./clock.ts";

const STEP_MS = 1000;

interface PauseOptions {
  readonly signal: AbortSignal;
  readonly onStep: (leftMs: number) => void;
  /** Ends the wait early. */
  readonly isOver?: () => boolean | Promise<boolean>;
}

/**
 * Waits for a moment and reports the remaining time about every second; answers whether the moment came. The clock is
 * read after each step, so that a machine that was asleep does not wait for a past moment.
 */
export async function pauseUntil(
  untilMs: number,
  { signal, onStep, isOver = () => false }: PauseOptions,
): Promise<boolean> {
  for (let leftMs = untilMs - readClockMs(); leftMs > 0; leftMs = untilMs - readClockMs()) {
    if (await isOver()) return true;
    onStep(leftMs);
    await delay(Math.min(leftMs, STEP_MS), undefined, { signal }).catch(() => null);
    if (signal.aborted) return false;
  }
  return !signal.aborted;
}

/** A timer that is asked for more than this fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Aborted at the deadline, in milliseconds since the epoch, and never where that is weeks away. */
export function makeDeadlineSignal(deadlineAt: number): AbortSignal {
  const remainingMs = Math.ceil(deadlineAt - readClockMs());
  if (remainingMs > TIMER_MS_MAX) return new AbortController().signal;
  return remainingMs <= 0 ? AbortSignal.abort() : AbortSignal.timeout(remainingMs);
}

/**
 * Lets a signal be heard that has arrived. Where everything is done at once, nothing else asks the system for it. Two
 * turns, because the first may end before the system is asked.
 */
export async function hearSignals(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
