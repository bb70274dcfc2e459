/**
 * The lifeline of a relais that another relais started: a pipe, by the number of its descriptor.
 *
 * The first bytes allow the work to begin. The end of the pipe means that the other process is gone. A line with two
 * numbers is a leash: when this machine was up for so many milliseconds, the work stops as at a signal, and then
 * everything of it is killed. The other process sends a new one as long as it holds the job; one that is stopped or
 * cut off sends none.
 */
import type { Environment } from "../base/environment.ts";

/** As if SIGTERM had ended it; nothing was done yet. */
const NOT_BEGUN = 143;
const LOOK_MS = 100;
const LEASH = /^(\d+) (\d+)$/;

interface HeldProcess {
  /** Names the job whose session it is, if it is one. */
  readonly environment: Environment;
  /** Stops the work as at a signal. */
  readonly onEnd: () => void;
}

export function holdLifeline(descriptor: number, held: HeldProcess): Promise<void> {
  const { Socket } = process.getBuiltinModule("node:net");
  return new Promise((begin) => {
    const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
    let isBegun = false;
    let hold: ((leash: Leash) => void) | null = null;
    let rest = "";
    pipe.on("data", (data: Buffer) => {
      const lines = `${rest}${data.toString("latin1")}`.split("\n");
      rest = lines.pop() ?? "";
      const [, stopMs, endMs] = LEASH.exec(lines.findLast((line) => LEASH.test(line)) ?? "") ?? [];
      if (stopMs !== undefined) (hold ??= watchLeash(held))({ stopMs: Number(stopMs), endMs: Number(endMs) });
      if (isBegun) return;
      isBegun = true;
      // From now on the work decides when this process ends.
      pipe.unref();
      begin();
    });
    for (const event of ["end", "error"]) pipe.once(event, () => (isBegun ? held.onEnd() : process.exit(NOT_BEGUN)));
  });
}

interface Leash {
  readonly stopMs: number;
  readonly endMs: number;
}

function watchLeash({ environment, onEnd }: HeldProcess): (leash: Leash) => void {
  const { uptime } = process.getBuiltinModule("node:os");
  // Loaded now: later there may be no time.
  const killer = import("../fleet/kill-session.ts");
  let newest: Leash | null = null;
  let isStopping = false;
  const timer = setInterval(() => {
    if (newest === null) return;
    const nowMs = uptime() * 1000;
    if (nowMs > newest.stopMs && !isStopping) {
      isStopping = true;
      onEnd();
    }
    if (nowMs <= newest.endMs) return;
    clearInterval(timer);
    void killer.then(({ killSession }) => killSession(environment)).finally(() => process.kill(process.pid, "SIGKILL"));
  }, LOOK_MS);
  timer.unref();
  return (leash) => (newest = leash);
}
