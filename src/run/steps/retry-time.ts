import type { SessionReply } from "../../agents/session/driver.ts";

/** When a session that was refused by its service can be tried again, as its event tells it. */
export function computeRetryTime({ until }: Pick<Extract<SessionReply, { kind: "failed" }>, "until">): {
  readonly until?: string;
} {
  return until === undefined || until === null ? {} : { until };
}
