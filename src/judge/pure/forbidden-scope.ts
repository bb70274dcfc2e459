import { validateGlob } from "../../base/glob-validity.ts";
import { type Gate, listIgnoredChanges, decideIgnoredFate, type GateRefusal, listVisibleChanges } from "./gate.ts";

/** Refuses every changed path under a forbidden glob, also where it is allowed or ignored. */
export const forbiddenScope: Gate = {
  id: "forbidden-scope",
  refuse: (gateInput) => [
    ...listVisibleChanges(gateInput).flatMap(({ path }) => {
      const glob = gateInput.forbidden(path);
      return glob === null ? [] : [refusePath(path, glob)];
    }),
    ...listIgnoredChanges(gateInput).flatMap((change) => {
      const fate = decideIgnoredFate(gateInput, change);
      return fate.kind === "protected" ? [refusePath(change.path, fate.glob)] : [];
    }),
  ],
};

function refusePath(subject: string, glob: string): GateRefusal {
  const problem = validateGlob(glob);
  const rule =
    problem === null
      ? "The path, or a folder above it, matches a forbidden glob."
      : `A forbidden glob cannot be read, so nothing passes: it ${problem}.`;
  return { code: "STOP_SCOPE_VIOLATION_FORBIDDEN", subject, rule, glob };
}
