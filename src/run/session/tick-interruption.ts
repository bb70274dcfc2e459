import type { TickEvent } from "../../contract/journal/event.ts";

export const TICK_TIMEOUT: Extract<TickEvent, { type: "interrupted" }> = {
  type: "interrupted",
  code: "STOP_TICK_TIMEOUT",
  cause: "tick_timeout",
  message: null,
};

/** The reason of the abort is the name of the signal. */
export function readInterruption(signal: AbortSignal): TickEvent {
  const reason: unknown = signal.reason;
  const cause = typeof reason === "string" ? reason.toLowerCase() : "stopped";
  return { type: "interrupted", code: "STOP_INTERRUPTED", cause, message: null };
}
