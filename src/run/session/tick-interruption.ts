import type { TickEvent } from "../../contract/journal/event.ts";

/** The deadline of the whole tick has passed. */
export const TICK_TIMEOUT: Extract<TickEvent, { type: "interrupted" }> = {
  type: "interrupted",
  code: "STOP_TICK_TIMEOUT",
  cause: "tick_timeout",
  message: null,
};

/** A signal has asked relais to end; its name is the reason of the abort. */
export function readInterruption(signal: AbortSignal): TickEvent {
  const reason: unknown = signal.reason;
  const cause = typeof reason === "string" ? reason.toLowerCase() : "stopped";
  return { type: "interrupted", code: "STOP_INTERRUPTED", cause, message: null };
}
