/** Why a session was stopped. */
export type Cut = "timed-out" | "idle" | "output-limit" | "aborted" | "failed";

export interface Limits {
  readonly deadlineMs: number;
  /** How long a session may print nothing; null or absent is no limit. */
  readonly idleTimeoutMs?: number | null;
  /** How much both streams may print together; null or absent is no limit. */
  readonly outputBytesMax?: number | null;
  readonly signal?: AbortSignal;
}

/** A timer that is asked for more than this fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Starts the clocks of a session; `reached` settles with the first limit that is reached. */
export function armLimits({ deadlineMs, idleTimeoutMs, outputBytesMax, signal }: Limits) {
  let settle: ((cut: Cut) => void) | undefined;
  const reached = new Promise<Cut>((resolve) => {
    settle = resolve;
  });
  const reach = (cut: Cut): void => settle?.(cut);
  const after = (ms: number, cut: Cut): NodeJS.Timeout => setTimeout(() => reach(cut), Math.min(ms, TIMER_MS_MAX));
  const deadline = after(deadlineMs, "timed-out");
  const idle = typeof idleTimeoutMs === "number" ? after(idleTimeoutMs, "idle") : null;
  const abort = (): void => reach("aborted");
  signal?.addEventListener("abort", abort);
  if (signal?.aborted === true) abort();
  return {
    reached,
    sawOutput: (bytesTotal: number): void => {
      idle?.refresh();
      if (typeof outputBytesMax === "number" && bytesTotal > outputBytesMax) reach("output-limit");
    },
    /** Our own work on the session failed, so it must stop. */
    fail: (): void => reach("failed"),
    disarm: (): void => {
      clearTimeout(deadline);
      if (idle !== null) clearTimeout(idle);
      signal?.removeEventListener("abort", abort);
    },
  };
}
