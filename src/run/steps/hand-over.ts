/** When an agent is out of quota, the next one of its role replaces it. */
import type * as v from "valibot";
import type { SessionReply } from "../../agents/session/driver.ts";
import type { Role } from "../../contract/agents/agent.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import type { Prepared } from "../../core/tick/tick-state.ts";
import type { ReadyAgent } from "../session/tick-session.ts";
import { computeRetryTime } from "./retry-time.ts";

type SessionRole = v.InferOutput<typeof Role>;
type Failed = Extract<SessionReply, { kind: "failed" }>;

/** The configured agent, or the fallback after those that were refused. */
export function pickAgentNow<Agent extends ReadyAgent>(
  agent: Agent,
  { handedOver }: Pick<Prepared, "handedOver">,
  role: SessionRole,
): Agent {
  const refused = handedOver.filter((one) => one.role === role).length;
  const instead = refused === 0 ? undefined : agent.fallbacks[refused - 1];
  return instead === undefined ? agent : { ...agent, ...instead, fallbacks: agent.fallbacks.slice(refused) };
}

type RefusedSession = Pick<Failed, "cause" | "message" | "until" | "usage">;

export function handOver(now: ReadyAgent, role: SessionRole, refused: RefusedSession): TickEvent | null {
  const [next] = now.fallbacks;
  if (next === undefined) return null;
  return {
    type: "handed_over",
    role,
    from: now.driver.name,
    to: next.driver.name,
    cause: refused.cause.slice(0, 400),
    message: refused.message.slice(0, 4000),
    usage: refused.usage ?? null,
    ...computeRetryTime(refused),
  };
}

/** Whether a session failed because of its account or its service. */
export function isOutOfQuota({ code, cause }: Failed): boolean {
  return code === "STOP_RATE_LIMITED" || cause === "quota_exceeded";
}

/** When the first of the refused agents is available again, if known. */
export function pickEarliestRetry({ handedOver }: Pick<Prepared, "handedOver">, last: Failed): { until?: string } {
  const moments = [...handedOver.map(({ until }) => until), last.until].flatMap((until) => until ?? []);
  const [first] = moments.toSorted((one, other) => Date.parse(one) - Date.parse(other));
  return first === undefined ? {} : { until: first };
}
