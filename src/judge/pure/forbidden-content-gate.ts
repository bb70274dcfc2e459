import type { Change } from "../../records/evidence.ts";
import { listPathNote, quote } from "../../base/words.ts";
import { type Gate, type GateInput, listIgnoredChanges, listVisibleChanges } from "./gate.ts";

/** Refuses content of forbidden files at other paths: a commit would make a secret part of the history. */
export const forbiddenContent: Gate = {
  id: "forbidden-content",
  cause: "forbidden_content",
  refuse: (gateInput) =>
    listVisibleChanges(gateInput).flatMap(({ path, forbidden_content: content }) => {
      if (content === undefined) return [];
      const what = content.whole ? "the content" : "a part of the content";
      const rule = `It holds ${what} of the forbidden file ${quote(content.of)}.`;
      return [{ code: "STOP_SCOPE_VIOLATION_FORBIDDEN", subject: path, rule, glob: null }];
    }),
};

/** Keys of known providers: once it is committed, one has to be revoked. The key itself is never quoted. */
export const credentials: Gate = {
  id: "credentials",
  cause: "credential",
  refuse: (gateInput) =>
    listVisibleChanges(gateInput).flatMap(({ path, credentials: found = [] }) =>
      found.map(({ rule, line }) => ({
        code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
        subject: path,
        rule: `It adds a credential in line ${line} (${rule}).`,
        glob: null,
      })),
    ),
};

/** Ignored files are never committed, and honest builds put settings into their output: a note is enough. */
export function listContentNotes(gateInput: GateInput): readonly string[] {
  const copies = listIgnoredChanges(gateInput).filter(isCopy);
  return listPathNote(
    "Ignored files hold the content of forbidden ones",
    copies.map(({ path }) => path),
  );
}

function isCopy({ forbidden_content: content }: Change): boolean {
  return content !== undefined;
}
