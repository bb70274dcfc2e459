import type { EventOf, Outcome } from "./tick-state.ts";

/** Nothing speaks against it. */
export const SUCCESS: Outcome = { code: "SUCCESS", cause: null, message: null };

/** How a gate that answers with a code or with nothing has decided. */
export function outcomeOf({ code, cause, message = null }: GateAnswer): Outcome {
  return code === null ? SUCCESS : { code, cause, message };
}

interface GateAnswer extends Pick<Outcome, "cause"> {
  readonly code: Outcome["code"] | null;
  readonly message?: Outcome["message"];
}

/** How a tick was refused or cut short. */
export function refusal(event: EventOf<"refused" | "interrupted">): Outcome {
  const { code, cause, message } = event;
  const until = event.type === "refused" ? event.until : undefined;
  return { code, cause, message, ...(until === undefined ? {} : { until }) };
}
