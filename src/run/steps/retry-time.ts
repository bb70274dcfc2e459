import type { SessionReply } from "../../agents/session/driver.ts";

/** When a session that was refused by its service can be tried again, as its event tells it. */
export function retryTime({ until }: Extract<SessionReply, { kind: "failed" }>): { readonly until?: string } {
  return until === undefined || until === null ? {} : { until };
}
