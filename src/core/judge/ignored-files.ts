import { counted } from "../words/counted.ts";
import { type Gate, ignoredChanges, ignoredFate, type Matter } from "./gate.ts";
import { shortenList } from "../words/quote.ts";

/** Refuses changes of ignored files where the policy forbids them and no writable glob covers them. */
export const ignoredFiles: Gate = {
  id: "ignored-files",
  refuse: (matter) =>
    pathsWithFate(matter, "refused").map((path) => ({
      code: "STOP_IGNORED_MUTATION",
      subject: path,
      rule: "Ignored files are protected here, except under ignored_writable_globs.",
      glob: null,
    })),
};

/** Tells of ignored files that changed where the policy is to report them. */
export function ignoredNotes(matter: Matter): readonly string[] {
  const paths = pathsWithFate(matter, "reported");
  if (paths.length === 0) return [];
  const subject = counted(paths.length, "ignored path");
  return [`${subject} changed: ${shortenList(paths)}.`];
}

function pathsWithFate(matter: Matter, kind: "refused" | "reported"): string[] {
  return ignoredChanges(matter)
    .filter((change) => ignoredFate(matter, change).kind === kind)
    .map(({ path }) => path);
}
