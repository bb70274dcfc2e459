import { makeLockfileFinder } from "../../records/dependencies.ts";
import { type Gate, listVisibleChanges } from "./gate.ts";

/** Refuses changed lockfiles in any folder, and in any case: a package manager reads them where it finds them. */
export const lockfiles: Gate = {
  id: "lockfiles",
  refuse: (gateInput) => {
    const { allow_lockfile_changes: allowed, lockfiles: names } = gateInput.evidence.rules;
    if (allowed) return [];
    const findName = makeLockfileFinder(names);
    return listVisibleChanges(gateInput).flatMap(({ path }) => {
      const glob = findName(path);
      if (glob === null) return [];
      const rule = "Lockfile changes are not allowed here.";
      return [{ code: "STOP_LOCKFILE_CHANGE_FORBIDDEN", subject: path, rule, glob }];
    });
  },
};
