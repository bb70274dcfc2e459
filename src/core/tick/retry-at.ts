import type { Report } from "../../contract/documents/report.ts";
import { findBuilt, findReview } from "./tick-facts.ts";
import type { Reportable, TickState } from "./tick-state.ts";

/** When the service that refused this tick will answer again, where it said so; null for every other tick. */
export function findRetryAt(state: TickState | Reportable): string | null {
  const outcome = "outcome" in state ? state.outcome : null;
  if (outcome?.code !== "STOP_RATE_LIMITED") return null;
  return outcome.until ?? findReview(state)?.until ?? findBuilt(state)?.until ?? null;
}

export function reportRetry(state: Reportable): Pick<Report, "retry_at"> {
  const moment = findRetryAt(state);
  return moment === null ? {} : { retry_at: moment };
}
