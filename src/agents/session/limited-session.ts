import type { SessionEnding } from "./driver.ts";
import { readMoment } from "./moment-text.ts";

/** The status by which a program says that its service refused it for now: "try again later" in sysexits. */
export const LIMITED_STATUS = 75;

const RETRY_AT = /^retry-at:\s*(?<moment>\S{1,40})\s*$/im;

/** How a session ended whose service refused it; a line `retry-at: <moment>` on standard error says until when. */
export function endLimitedSession(stderr: Buffer): Extract<SessionEnding, { kind: "failed" }> {
  const until = readMoment(Date.parse(RETRY_AT.exec(stderr.toString("utf8"))?.groups?.["moment"] ?? ""));
  const reply = {
    kind: "failed",
    code: "STOP_RATE_LIMITED",
    cause: "rate_limited",
    message: "its service refused the call because of a limit",
  } as const;
  return until === null ? reply : { ...reply, until };
}
