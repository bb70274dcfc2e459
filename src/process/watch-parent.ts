import { repeatEvery } from "../system/clock.ts";

const LOOK_MS = 1000;

/** Calls once when the process that started this one is gone; answers with what ends the watch. */
export function watchParent(onGone: () => void): () => void {
  const parent = process.ppid;
  const stop = repeatEvery(LOOK_MS, () => {
    if (process.ppid === parent) return;
    stop();
    onGone();
  });
  return stop;
}
