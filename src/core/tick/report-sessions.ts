import type { Report } from "../../contract/documents/report.ts";
import { reviewUsage } from "./report-review.ts";
import { findBuilding, findBuilt, findHandedOver, findPlanning, findPrepared } from "./tick-facts.ts";
import type { EventOf, Reportable, TickState } from "./tick-state.ts";

/** Where the sessions of a tick worked, what they were told and what they used. */
export function reportSessions(
  state: TickState | Reportable,
): Pick<Report, "builder_output_valid" | "isolation" | "sandbox" | "usage" | "prompt_bytes"> {
  const building = findBuilding(state);
  return {
    builder_output_valid: findBuilt(state)?.builder_output_valid ?? null,
    isolation: findPrepared(state)?.prepared.isolation ?? null,
    // A patch has nobody who could have broken out of one.
    sandbox: building?.driver === "patch" ? null : (building?.sandbox ?? null),
    usage: usagePart(state),
    ...promptPart(state),
  };
}

function usagePart(state: TickState | Reportable): Report["usage"] {
  const [planning, building] = [findPlanning(state), findBuilding(state)];
  const planUsage = findPrepared(state)?.planUsage ?? [];
  const usage = findBuilt(state)?.usage ?? null;
  return [
    ...findHandedOver(state).flatMap((one) =>
      one.usage === null ? [] : [{ role: one.role, driver: one.from, model: null, ...one.usage }],
    ),
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
    ...reviewUsage(state),
  ];
}

/** How large the prompt of the orchestrator was, where it had one. */
function promptPart(state: TickState | Reportable): Pick<Report, "prompt_bytes"> {
  const planning = findPlanning(state);
  return planning === null ? {} : { prompt_bytes: { ...planning.prompt_bytes } };
}

/** Who worked in whose place, for a person. */
export function listHandedOverNotes(state: Reportable): readonly string[] {
  return findHandedOver(state).map(handedOverNote);
}

function handedOverNote({ role, from, to, cause, until }: EventOf<"handed_over">): string {
  const end = until === undefined ? "" : ` until ${until}`;
  return `The ${role} ${from} is out of quota (${cause})${end}, so ${to} worked in its place`;
}
