import type { Change } from "../../records/evidence.ts";
import { shortenList } from "../../base/words.ts";
import { type Gate, grants, type GateInput, listVisibleChanges } from "./gate.ts";

/** Refuses every changed path that no allowed glob covers, or that lies beyond what the configuration allows at most. */
export const allowedScope: Gate = {
  id: "allowed-scope",
  refuse: (gateInput) =>
    listVisibleChanges(gateInput).flatMap((change) => {
      const rule = findBrokenRule(gateInput, change);
      if (rule === null) return [];
      return [{ code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", subject: change.path, rule, glob: null }];
    }),
};

function findBrokenRule({ allowed, ceiling, evidence: { rules } }: GateInput, change: Change): string | null {
  const { allowed_globs: globs, ceiling_globs: most = [] } = rules;
  if (grants(allowed, change) === null)
    return globs.length === 0 ? "No path is allowed." : `Outside the allowed paths (${shortenList(globs)}).`;
  if (ceiling === null || grants(ceiling, change) !== null) return null;
  return `Outside scope.default_allowed_globs (${shortenList(most)}).`;
}
