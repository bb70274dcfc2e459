import { foldName } from "../paths/fold-name.ts";
import { type Gate, listVisibleChanges } from "./gate.ts";

/** Refuses changed lockfiles in any folder, and in any case: a package manager reads them where it finds them. */
export const lockfiles: Gate = {
  id: "lockfiles",
  refuse: (gateInput) => {
    const { allow_lockfile_changes: allowed, lockfiles: names } = gateInput.evidence.rules;
    if (allowed) return [];
    const known = new Map(names.map((name) => [foldName(name), name]));
    return listVisibleChanges(gateInput).flatMap(({ path }) => {
      const glob = known.get(foldName(path.slice(path.lastIndexOf("/") + 1))) ?? known.get(foldName(path));
      if (glob === undefined) return [];
      const rule = "Lockfile changes are not allowed here.";
      return [{ code: "STOP_LOCKFILE_CHANGE_FORBIDDEN", subject: path, rule, glob }];
    });
  },
};
