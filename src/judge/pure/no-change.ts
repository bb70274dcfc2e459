import { measureBlastRadius } from "./blast-radius.ts";
import { type Gate, listVisibleChanges } from "./gate.ts";

/** Refuses work that left nothing for a commit where the task asks for a change. A builder that failed has its own code. */
export const noChange: Gate = {
  id: "no-change",
  refuse: (gateInput) => {
    const { rules, builder_failure: failure } = gateInput.evidence;
    if (rules.change_required !== true || failure !== null) return [];
    if (measureBlastRadius(listVisibleChanges(gateInput)).files_touched > 0) return [];
    const rule = "The task asks for a change, but no committable file changed.";
    return [{ code: "STOP_NO_CHANGE", subject: "the change as a whole", rule, glob: null }];
  },
};
