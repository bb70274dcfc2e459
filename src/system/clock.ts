/** The time, in milliseconds since the epoch. The only clock of relais. */
export function readClockMs(): number {
  return Date.now();
}

/**
 * Milliseconds since the start of the machine or another fixed moment, the same for all of its processes: they only grow.
 * `performance` would load nine modules of Node for that.
 */
export function readSteadyMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Whole seconds since a moment; none before it. */
export function countSecondsSince(moment: string): number {
  return Math.max(0, Math.floor((readClockMs() - Date.parse(moment)) / 1000));
}

/** Null where the moment is over. */
export function dropPast(moment: string | null): string | null {
  return moment !== null && Date.parse(moment) > readClockMs() ? moment : null;
}

/** Repeats an act until the returned function is called. It does not keep the process alive. */
export function repeatEvery(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms);
  timer.unref();
  return () => clearInterval(timer);
}
