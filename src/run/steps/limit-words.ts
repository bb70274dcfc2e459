/** Names the limit that ended a session, with the key that sets it. */
import type { DriverLimits } from "../../agents/choose-driver.ts";
import type { SessionReply } from "../../agents/session/driver.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import type { StateIn } from "../../core/tick/tick-state.ts";
import type { TurnLimit } from "../../core/tick/turn-limit.ts";
import { TICK_TIMEOUT } from "../session/tick-interruption.ts";
import type { RunningSession } from "../session/tick-session.ts";

type Failed = Extract<SessionReply, { kind: "failed" }>;

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
