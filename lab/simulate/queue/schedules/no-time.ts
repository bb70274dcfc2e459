/** Takes the place of the timers in the bundle of the schedules: nothing happens there because time passes. */
const never = { unref: () => never, ref: () => never };

/** A short wait is over at once; what stands for a deadline never comes. */
export function setTimeout(call: () => void, ms = 0): object {
  if (ms <= 200) queueMicrotask(call);
  return never;
}

export const setInterval = (): object => never;
export const clearTimeout = (): void => {};
export const clearInterval = (): void => {};
