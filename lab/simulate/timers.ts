/** The timers of a simulated process. */
type Callback = (...args: unknown[]) => void;

export interface Timer {
  readonly stop: () => void;
  readonly ref: () => Timer;
  readonly unref: () => Timer;
  readonly hasRef: () => boolean;
  readonly refresh: () => Timer;
}

const US_PER_MS = 1000;
/** Node takes less for this. */
const MS_MIN = 1;

const toUs = (ms: number | undefined): number => Math.max(MS_MIN, Math.floor(ms ?? 0)) * US_PER_MS;

/** `call` runs something later, and answers how to take it back. */
export function makeTimers(call: (us: number, run: () => void) => () => void) {
  const start = (us: number, run: () => void): Timer => {
    let stop = call(us, run);
    const timer: Timer = {
      stop: () => stop(),
      ref: () => timer,
      unref: () => timer,
      hasRef: () => true,
      refresh: () => {
        stop();
        stop = call(us, run);
        return timer;
      },
    };
    return timer;
  };
  return {
    set: (callback: Callback, ms?: number, ...args: unknown[]): Timer => start(toUs(ms), () => callback(...args)),
    setImmediate: (callback: Callback, ...args: unknown[]): Timer => start(1, () => callback(...args)),
    repeat: (callback: Callback, ms?: number, ...args: unknown[]): Timer => {
      const timer = start(toUs(ms), () => {
        timer.refresh();
        callback(...args);
      });
      return timer;
    },
    clear: (timer: Timer | null | undefined): void => timer?.stop(),
  };
}
