import {
  type ChangedFile,
  makeWeakening,
  type Occurrence,
  type Weakening,
  readChangedFile,
  type ChangedText,
  type FileTests,
} from "./changed-file.ts";
import type { ScannedSource } from "../../base/scan-source.ts";
import { listOccurrences } from "./find-patterns.ts";
import { listTampering } from "./find-tampering.ts";
import { indexTest, listSpecialCases, listWanted, type SpecialCase } from "./find-test-literals.ts";
import { isUnderTest, listTestPaths, listTestReads, type TestPaths } from "./find-test-reads.ts";
import { findLanguage } from "../../base/language.ts";
import { addTo, listNew, type Sides, takeFrom, type Tally } from "./new-in-change.ts";
import { listInstallScripts, listNewModules, listStandardShadows, type NewModule } from "./new-modules.ts";
import { listTestLiterals } from "./score-test-literals.ts";
import { listSkipOptions, renameNewSkips } from "./skipped-tests.ts";
import { SUPPRESSIONS } from "./suppression-table.ts";
import { listWeakerTests } from "./weaker-tests.ts";

/** Which occurrences a change adds. A file counts by kind: after an edit of a line there are as many as before. */

export interface FileOccurrences extends Sides<Occurrence> {
  readonly file: ChangedFile;
}

/** The most of one file; more say nothing new. */
const ADDED_MAX = 20;

const nameOccurrence = ({ kind, text }: Occurrence): string => `${kind}\0${text}`;

/** By path. */
export function listAdded(files: readonly FileOccurrences[]): readonly (readonly [string, Weakening])[] {
  const added = listNew(files, nameOccurrence);
  return files.flatMap(({ file, before, after }, place) => {
    const source = file.after;
    if (source === null) return [];
    const net = countNet(before, after);
    return (added[place] ?? [])
      .filter(({ kind }) => takeFrom(net, kind))
      .slice(0, ADDED_MAX)
      .map(({ kind, at }) => [file.path, makeWeakening(kind, source, at)] as const);
  });
}

function countNet(before: readonly Occurrence[], after: readonly Occurrence[]): Tally {
  const net: Tally = new Map();
  for (const { kind } of after) addTo(net, kind, 1);
  for (const { kind } of before) addTo(net, kind, -1);
  return net;
}

/** Suppressions that are honest where they stand: with a reason beside them, or for a command that often fails. */

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

/** Every place where a change makes the checks say less, found by rules over its text. */

export interface WeakeningQuestion extends FileTests {
  readonly changes: readonly ChangedText[];
  /** Every path of the repository before the change. */
  readonly paths: Iterable<string>;
  /** The text of the task; absent where nobody asked for anything. */
  readonly task?: string | undefined;
}

/** The findings so far, and what is to be compared with the tests. */
export interface WeakeningAnswer {
  readonly found: readonly (readonly [path: string, weakening: Weakening])[];
  readonly open: readonly OpenCases[];
  /** What is to be compared with the distributions that are installed. */
  readonly modules: readonly NewModule[];
}

export interface OpenCases {
  readonly file: ChangedFile;
  readonly cases: readonly SpecialCase[];
}

export function findWeakenings({ changes, paths, task, ...tests }: WeakeningQuestion): WeakeningAnswer {
  const files = changes.flatMap((change) => readChangedFile(change, tests) ?? []);
  const changed = changes.flatMap(({ path, after }) => (after === null ? [] : [path]));
  let known: TestPaths | null = null;
  const testPaths = (): TestPaths => (known ??= listTestPaths([...new Set([...paths, ...changed])], tests.isTest));
  const after = renameNewSkips(
    files.map((file) => ({
      file,
      occurrences: listSide(file.after, file, testPaths),
    })),
  );
  // Most changes have nothing afterwards, and then nothing was added, whatever there was before.
  const isClean = after.every(({ length }) => length === 0);
  const occurrences = files.map((file, at): FileOccurrences => ({
    file,
    before: isClean ? [] : listSide(file.before, file, testPaths),
    after: after[at] ?? [],
  }));
  const modules = listNewModules(changes, paths);
  const found = [
    ...listAdded(occurrences),
    ...listWeakerTests(files, task),
    ...listInstallScripts(changes),
    ...listStandardShadows(modules),
  ];
  return { found, open: files.flatMap(listOpenCases), modules };
}

function listSide(source: ScannedSource | null, file: ChangedFile, tests: () => TestPaths): readonly Occurrence[] {
  if (source === null) return [];
  return [
    ...renameExplained(listOccurrences(source, SUPPRESSIONS, file.role), source, file),
    ...listSkipOptions(source, file),
    ...listTampering(source, file),
    ...listTestReads(source, file, tests),
  ];
}

function listOpenCases(file: ChangedFile): readonly OpenCases[] {
  if (!isUnderTest(file) || file.after === null) return [];
  const cases = listSpecialCases(file.after, file.before);
  return cases.length === 0 ? [] : [{ file, cases }];
}

/** The texts of the tests by path, and that of the task. */
export function compareWithTests(
  open: readonly OpenCases[],
  texts: readonly (readonly [path: string, text: string])[],
  task = "",
): WeakeningAnswer["found"] {
  const wanted = listWanted(open.flatMap(({ cases }) => cases));
  const indexes = texts.map(([path, text]) => indexTest({ text, language: findLanguage(path, text) }, wanted));
  const isNamed = (value: string): boolean => task.includes(value);
  return open.flatMap(({ file, cases }) =>
    listTestLiterals(file, cases, { indexes, isNamed }).map((weakening) => [file.path, weakening] as const),
  );
}
