import type { BuilderFailure } from "../../records/evidence.ts";
import type { Gate, GateRefusal } from "./gate.ts";

/** Refuses the work of a failed builder, and an invalid patch. */
export const builderFailure: Gate = {
  id: "builder-failure",
  refuse: ({ evidence: { builder_failure: failure } }) => (failure === null ? [] : [refuseFailure(failure)]),
};

function refuseFailure({ code, cause }: BuilderFailure): GateRefusal {
  if (code === "STOP_QUESTION")
    return { code, subject: "builder", rule: `The builder gave the task back: ${cause}.`, glob: null };
  const isPatch = code === "STOP_PATCH_INVALID" || code === "STOP_PATCH_APPLY_FAILED";
  return isPatch
    ? { code, subject: "patch", rule: `The patch was refused: ${cause}.`, glob: null }
    : { code, subject: "builder", rule: `The builder failed: ${cause}.`, glob: null };
}
