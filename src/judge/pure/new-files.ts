import { isNewFile } from "./blast-radius.ts";
import { type Gate, listVisibleChanges } from "./gate.ts";

/** Refuses created files where the task may only change what is there. An empty directory is no file. */
export const newFiles: Gate = {
  id: "new-files",
  refuse: (gateInput) =>
    gateInput.evidence.rules.allow_new_files
      ? []
      : listVisibleChanges(gateInput)
          .filter(isNewFile)
          .map(({ path }) => ({
            code: "STOP_SCOPE_VIOLATION_NEW_FILE",
            subject: path,
            rule: "New files are not allowed here.",
            glob: null,
          })),
};
