import type { Change } from "../../records/evidence.ts";
import { isDirectoryOnly } from "./blast-radius.ts";
import { type Gate, listIgnoredChanges, decideIgnoredFate, type GateInput } from "./gate.ts";
import { listPathNote } from "../../base/words.ts";

/** Refuses changes of ignored files where the policy forbids them and no writable glob covers them. */
export const ignoredFiles: Gate = {
  id: "ignored-files",
  refuse: (gateInput) =>
    listIgnoredChanges(gateInput).flatMap((change) => {
      const fate = decideIgnoredFate(gateInput, change);
      if (fate.kind !== "refused") return [];
      const { glob } = fate;
      return [{ code: "STOP_IGNORED_MUTATION", subject: change.path, rule: writeRule(change, glob), glob }];
    }),
};

function writeRule(change: Change, guarded: string | null): string {
  const what = `The ignored file was ${WORDS[classifyIgnored(change)]}`;
  return guarded === null
    ? `${what}. Ignored files are protected, except ignored_writable_globs.`
    : `${what}. A check starts or loads it, so ignored_writable_globs does not cover it.`;
}

const WORDS = { deleted: "deleted", changed: "changed", new: "added" } as const;

function classifyIgnored({ before, after }: Change): keyof typeof WORDS {
  if (after === null) return "deleted";
  return before === null ? "new" : "changed";
}

/** Notes ignored files that changed without a reason to stop; a new folder only by its entries. */
export function listIgnoredNotes(gateInput: GateInput): readonly string[] {
  const told = listIgnoredChanges(gateInput).filter(
    (change) => decideIgnoredFate(gateInput, change).kind === "reported",
  );
  const listPaths = (fate: keyof typeof WORDS): string[] =>
    told
      .filter((change) => classifyIgnored(change) === fate && !(fate === "new" && isDirectoryOnly(change)))
      .map(({ path }) => path);
  return [
    ...listPathNote("Ignored files were deleted", listPaths("deleted")),
    ...listPathNote("Ignored files were changed", listPaths("changed")),
    ...listPathNote("Ignored files are new", listPaths("new")),
  ];
}
