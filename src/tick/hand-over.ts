/** When an agent is out of quota, the next one of its role replaces it. */
import type { SessionReply } from "../agents/driver.ts";
import type { TickEvent } from "../records/event.ts";
import type { Prepared, StateIn } from "./pure/tick-state.ts";
import type { ReadyAgent, RunningSession } from "./tick-session.ts";
import type { DriverLimits } from "../agents/choose-driver.ts";
import type { TurnLimit } from "./pure/turn-limit.ts";
import { TICK_TIMEOUT } from "./tick-session.ts";
import type { SessionRole } from "../agents/driver.ts";

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
    ...(typeof refused.until === "string" ? { until: refused.until } : {}),
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

/** The program's own message, and the key of the limit. */
export function describeFailure({ cause, message }: Failed, turns: TurnLimit | null): string {
  if (cause !== "max_turns" || turns === null) return message;
  return `${message}; its ${turns.max} turns are set by \`${turns.key}\``;
}

export function describeTime(limit: "time" | "idle", { keys, timeoutMs, idleTimeoutMs }: DriverLimits): string {
  const [ms, key, what] =
    limit === "idle"
      ? ([idleTimeoutMs, keys.idle, "seconds of silence"] as const)
      : ([timeoutMs, keys.timeout, "seconds"] as const);
  return `its ${(ms ?? 0) / 1000} ${what} are set by \`${key}\``;
}

/** A workflow may have set the time of the tick. */
export function describeTickTimeout({ work }: RunningSession, { started }: StateIn<"build">): TickEvent {
  if (work.maxSeconds === undefined) return TICK_TIMEOUT;
  const key = `${started.workflow}.iteration_timeout_seconds`;
  return {
    ...TICK_TIMEOUT,
    message: `The ${work.maxSeconds} seconds of an iteration are set by \`${key}\`.`,
  };
}
