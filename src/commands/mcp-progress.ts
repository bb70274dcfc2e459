/** The shortest time between two reports, and the longest: many clients give up on a call that is silent for a minute. */
const SHORTEST_MS = 500;
const LONGEST_MS = 15_000;

export interface Progress {
  /** Takes a line of a command's log. */
  readonly onLine: (line: string) => void;
  readonly close: () => void;
}

export const UNREPORTED: Progress = { onLine: () => {}, close: () => {} };

/** Reports the newest line, at once or after a moment, and again while nothing happens. */
export function openProgress(send: (progress: number, message: string) => void): Progress {
  let newest = "started";
  let count = 0;
  let timer: NodeJS.Timeout | null = null;
  let sentMs = Number.NEGATIVE_INFINITY;
  const sendNow = (): void => {
    count += 1;
    sentMs = performance.now();
    send(count, newest);
    sendIn(LONGEST_MS);
  };
  const sendIn = (ms: number): void => {
    clearTimeout(timer ?? undefined);
    timer = setTimeout(sendNow, ms);
  };
  sendNow();
  return {
    onLine: (line) => {
      newest = line.replace(/^\d\d:\d\d:\d\d /, "");
      const waited = performance.now() - sentMs;
      if (waited >= SHORTEST_MS) sendNow();
      else sendIn(SHORTEST_MS - waited);
    },
    close: () => clearTimeout(timer ?? undefined),
  };
}
