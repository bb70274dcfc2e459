import { type Gate, grants, visibleChanges } from "./gate.ts";
import { shortenList } from "../words/quote.ts";

/** Refuses every changed path that no allowed glob covers. */
export const allowedScope: Gate = {
  id: "allowed-scope",
  refuse: (matter) => {
    const globs = matter.evidence.rules.allowed_globs;
    const rule =
      globs.length === 0 ? "Nothing may be changed." : `Only these may be changed: ${shortenList(globs)}.`;
    return visibleChanges(matter)
      .filter((change) => grants(matter.allowed, change) === null)
      .map(({ path }) => ({ code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", subject: path, rule, glob: null }));
  },
};
