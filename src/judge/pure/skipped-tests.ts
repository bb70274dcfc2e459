/** Whether a skip is about a test that was there before. A new test may be skipped: no check loses anything. */
import type { ChangedFile, Occurrence } from "./changed-file.ts";
import type { ScannedSource } from "../../base/scan-source.ts";

/** Where the name of a skipped test stands: after the skip, or before it for a call in the body of the test. */
const NAME_AFTER = /\b(?:def|class|fn)\s+(?<name>\w+)/u;
const TITLE_AFTER = /^[^\n]{0,80}?["'`](?<title>[^"'`\n]{1,200})/u;
const NAMES_BEFORE =
  /\bdef\s+(?<def>test\w*)|\bfunc\s+(?<func>Test\w*)|\bt\.Run\(\s*["`](?<run>[^"`\n]+)|@test\s+["'](?<bats>[^"'\n]+)|\b(?:it|test)\(\s*["'`](?<title>[^"'`\n]{1,200})/gu;
const NEAR_CHARS = 600;
const IN_BODY = /^(?:[tb]\.Skip|pytest\.|self\.skipTest|raise\b|skip\b|(?:[tT]|ctx|this)\.(?:skip|todo))/u;
const OF_A_MODULE = /allow_module_level|\bpytestmark\b|\b__test__\b|\bcollect_ignore/u;

export function renameNewSkips(
  occurrences: readonly Occurrence[],
  { before, after }: ChangedFile,
): readonly Occurrence[] {
  return occurrences.map((occurrence) => {
    if (occurrence.kind !== "skipped_test" || after === null || OF_A_MODULE.test(occurrence.text)) return occurrence;
    const name = findTestName(after, occurrence.at);
    const isNew = name !== null && !(before?.text.includes(name) ?? false);
    return isNew ? { ...occurrence, kind: "skipped_new_test" as const } : occurrence;
  });
}

function findTestName({ text, language }: ScannedSource, at: number): string | null {
  const following = text.slice(at, at + NEAR_CHARS);
  const after = language === "python" || language === "rust" ? NAME_AFTER : TITLE_AFTER;
  if (!IN_BODY.test(following)) return pickGroup(after.exec(following));
  const names = [...text.slice(Math.max(0, at - NEAR_CHARS), at).matchAll(NAMES_BEFORE)];
  return pickGroup(names.at(-1) ?? null);
}

function pickGroup(match: RegExpExecArray | null): string | null {
  return Object.values(match?.groups ?? {}).find((name) => name !== undefined) ?? null;
}
