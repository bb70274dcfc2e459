import { HELD } from "../../records/suspicions.ts";
import { type Gate, listVisibleChanges } from "./gate.ts";

/** Holds a change of what a person had not committed: nobody can tell the two apart in a commit. */
export const uncommittedPaths: Gate = {
  id: "uncommitted-paths",
  cause: "dirty_path",
  refuse: (gateInput) => {
    const paths = new Set(gateInput.evidence.rules.uncommitted_paths);
    return listVisibleChanges(gateInput)
      .filter(({ path }) => paths.has(path))
      .map(({ path }) => ({
        code: HELD,
        subject: path,
        rule: "It was changed by you, and not committed.",
        glob: null,
      }));
  },
};
