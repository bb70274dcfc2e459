/** Suppressions that are honest where they stand: with a reason beside them, or for a command that often fails. */
import type { ChangedFile, Occurrence } from "./changed-file.ts";
import type { ScannedSource } from "../../base/scan-source.ts";

/** These end with a failure where they find or do nothing. */
const MAY_FAIL =
  /(?:^|[\s;(&|])(?:[ef]?grep|rg|p?kill|umount|rmdir|wait|read|command\s+-v|which|pgrep)\s[^;]*\|\|\s*(?:true|:)(?=\s|$|[;)])/u;

export function renameExplained(
  occurrences: readonly Occurrence[],
  source: ScannedSource,
  { role }: Pick<ChangedFile, "role">,
): readonly Occurrence[] {
  return occurrences.map((occurrence) => {
    if (occurrence.kind === "empty_catch" && hasReason(source, occurrence.at))
      return { ...occurrence, kind: "explained_catch" as const };
    const mayFail = role === "source" && source.language === "shell" && MAY_FAIL.test(occurrence.text);
    return mayFail && occurrence.kind === "hidden_failure"
      ? { ...occurrence, kind: "expected_failure" as const }
      : occurrence;
  });
}

/** A comment inside of the braces. */
function hasReason({ code, comments }: ScannedSource, at: number): boolean {
  const start = code.indexOf("{", at);
  const end = code.indexOf("}", start);
  return start !== -1 && end !== -1 && /\w+\W+\w+/u.test(comments.slice(start, end));
}
