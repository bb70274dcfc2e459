import type { EventOf, Outcome } from "./tick-state.ts";

/** Nothing speaks against it. */
export const SUCCESS: Outcome = { code: "SUCCESS", cause: null, message: null };

/** How a gate that answers with a code or with nothing has decided. */
export function readOutcome({ code, cause, message = null }: GateAnswer): Outcome {
  return code === null ? SUCCESS : { code, cause, message };
}

interface GateAnswer extends Pick<Outcome, "cause"> {
  readonly code: Outcome["code"] | null;
  readonly message?: Outcome["message"];
}

const NOTHING_MORE: Pick<EventOf<"refused">, "until" | "question"> = {};

/** How a tick was refused or cut short. */
export function makeRefusal(event: EventOf<"refused" | "interrupted">): Outcome {
  const { code, cause, message } = event;
  const { until, question } = event.type === "refused" ? event : NOTHING_MORE;
  return {
    code,
    cause,
    message,
    ...(until === undefined ? {} : { until }),
    ...(question === undefined ? {} : { question }),
  };
}
