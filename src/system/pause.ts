import { setTimeout as delay } from "node:timers/promises";
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
