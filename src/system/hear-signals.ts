import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Lets a signal be heard that has arrived. Where everything is done at once, nothing else asks the system for it. Two
 * turns, because the first may end before the system is asked.
 */
export async function hearSignals(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
