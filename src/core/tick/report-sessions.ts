import type { Report } from "../../contract/documents/report.ts";
import { reviewUsage } from "./report-review.ts";
import type { TickState } from "./tick-state.ts";

/** Where the sessions of a tick worked, what they were told and what they used. */
export function sessionsPart(
  state: TickState,
): Pick<Report, "builder_output_valid" | "isolation" | "sandbox" | "usage" | "prompt_bytes"> {
  return {
    builder_output_valid: state.built?.builder_output_valid ?? null,
    isolation: state.prepared?.isolation ?? null,
    // A patch has nobody who could have broken out of one.
    sandbox: state.building?.driver === "patch" ? null : (state.building?.sandbox ?? null),
    usage: usagePart(state),
    ...promptPart(state),
  };
}

function usagePart({ planning, planUsage, building, built, ...review }: TickState): Report["usage"] {
  const usage = built?.usage ?? null;
  return [
    ...(planning === null
      ? []
      : planUsage.map((used) => ({
          role: "orchestrator" as const,
          driver: planning.driver,
          model: null,
          ...used,
        }))),
    ...(building === null || usage === null
      ? []
      : [{ role: "builder" as const, driver: building.driver, model: null, ...usage }]),
    ...reviewUsage(review),
  ];
}

/** How large the prompt of the orchestrator was, where it had one. */
function promptPart({ planning }: TickState): Pick<Report, "prompt_bytes"> {
  return planning === null ? {} : { prompt_bytes: { ...planning.prompt_bytes } };
}
