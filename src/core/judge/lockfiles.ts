import { foldName } from "../paths/fold-name.ts";
import { type Gate, visibleChanges } from "./gate.ts";

/** Refuses changed lockfiles in any folder, and in any case: a package manager reads them where it finds them. */
export const lockfiles: Gate = {
  id: "lockfiles",
  refuse: (matter) => {
    const { allow_lockfile_changes: allowed, lockfiles: names } = matter.evidence.rules;
    if (allowed) return [];
    const known = new Map(names.map((name) => [foldName(name), name]));
    return visibleChanges(matter).flatMap(({ path }) => {
      const glob = known.get(foldName(path.slice(path.lastIndexOf("/") + 1))) ?? known.get(foldName(path));
      if (glob === undefined) return [];
      const rule = "Lockfile changes are not allowed here.";
      return [{ code: "STOP_LOCKFILE_CHANGE_FORBIDDEN", subject: path, rule, glob }];
    });
  },
};
