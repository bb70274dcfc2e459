import { validateGlob } from "../paths/glob-reading.ts";
import { type Gate, ignoredChanges, ignoredFate, type Refusal, visibleChanges } from "./gate.ts";

/** Refuses every changed path under a forbidden glob, also where it is allowed or ignored. */
export const forbiddenScope: Gate = {
  id: "forbidden-scope",
  refuse: (matter) => [
    ...visibleChanges(matter).flatMap(({ path }) => {
      const glob = matter.forbidden(path);
      return glob === null ? [] : [refusal(path, glob)];
    }),
    ...ignoredChanges(matter).flatMap((change) => {
      const fate = ignoredFate(matter, change);
      return fate.kind === "protected" ? [refusal(change.path, fate.glob)] : [];
    }),
  ],
};

function refusal(subject: string, glob: string): Refusal {
  const problem = validateGlob(glob);
  const rule =
    problem === null
      ? "The path, or a folder above it, matches a forbidden glob."
      : `A forbidden glob cannot be read, so nothing passes: it ${problem}.`;
  return { code: "STOP_SCOPE_VIOLATION_FORBIDDEN", subject, rule, glob };
}
