/** The clock, its signals and waits. */
import { getWorld } from "../stage.ts";
import type { SimulatedProcess } from "../world.ts";

export const readClockMs = (): number => getWorld().nowMs;
export const readSteadyMs = (): number => getWorld().nowMs;
export const countSecondsSince = (moment: string): number =>
  Math.max(0, Math.floor((getWorld().nowMs - Date.parse(moment)) / 1000));
export const dropPast = (moment: string | null): string | null =>
  moment !== null && Date.parse(moment) > getWorld().nowMs ? moment : null;
export const repeatEvery = (): (() => void) => () => {};
export const makeDeadlineSignal = (at: number): AbortSignal => getWorld().signalAt(at);
export const hearSignals = (): Promise<void> => Promise.resolve();
export const withGitBounds = <T>(_bounds: unknown, work: () => Promise<T>): Promise<T> => work();

interface Pause {
  readonly signal: AbortSignal;
  readonly isOver?: () => boolean | Promise<boolean>;
}

/** In a few long steps. */
export async function pauseUntil(untilMs: number, { signal, isOver = () => false }: Pause): Promise<boolean> {
  const world = getWorld();
  const process = findProcess(signal);
  for (let leftMs = untilMs - world.nowMs; leftMs > 0; leftMs = untilMs - world.nowMs) {
    if (await isOver()) return true;
    await world.step(process, `waits for ${leftMs} ms`);
    if (signal.aborted) return false;
    world.advance(Math.max(1000, Math.min(leftMs, leftMs / 3)));
  }
  return !signal.aborted;
}

export function findProcess(signal: AbortSignal): SimulatedProcess {
  for (const process of getWorld().processes.values()) if (process.controller.signal === signal) return process;
  throw new Error("a signal of no process");
}

/** Of `node:timers/promises`: only a question to a person waits like this. */
export async function setTimeout(ms: number, _value: undefined, { signal }: { signal: AbortSignal }): Promise<void> {
  const world = getWorld();
  const process = world.held?.process;
  if (process === undefined) throw new Error("a wait without a lock");
  await world.step(process, "waits for a person");
  if (!signal.aborted) world.advance(ms * 1000);
}
