/** Every place where a change makes the checks say less, found by rules over its text. */
import {
  type ChangedFile,
  readChangedFile,
  type ChangedText,
  type FileTests,
  type Weakening,
  type Occurrence,
} from "./changed-file.ts";
import { type FileOccurrences, listAdded } from "./count-added.ts";
import { renameExplained } from "./explained.ts";
import { listExceptions } from "./exception-lists.ts";
import { listOccurrences } from "./find-patterns.ts";
import { listDisabledRules, listLoweredThresholds } from "./find-settings.ts";
import { listTampering } from "./find-tampering.ts";
import { indexTest, listSpecialCases, listWanted, type SpecialCase } from "./find-test-literals.ts";
import { isUnderTest, listTestPaths, listTestReads, type TestPaths } from "./find-test-reads.ts";
import { findLanguage } from "../../base/language.ts";
import type { ScannedSource } from "../../base/scan-source.ts";
import { listInstallScripts, listShadows } from "./new-modules.ts";
import { listTestLiterals } from "./score-test-literals.ts";
import { renameNewSkips } from "./skipped-tests.ts";
import { SUPPRESSIONS } from "./suppression-table.ts";

export interface WeakeningQuestion extends FileTests {
  readonly changes: readonly ChangedText[];
  /** Every path of the repository before the change. */
  readonly paths: Iterable<string>;
}

/** The findings so far, and what is to be compared with the tests. */
export interface WeakeningAnswer {
  readonly found: readonly (readonly [path: string, weakening: Weakening])[];
  readonly open: readonly OpenCases[];
}

export interface OpenCases {
  readonly file: ChangedFile;
  readonly cases: readonly SpecialCase[];
}

export function findWeakenings({ changes, paths, ...tests }: WeakeningQuestion): WeakeningAnswer {
  const files = changes.flatMap((change) => readChangedFile(change, tests) ?? []);
  const changed = changes.flatMap(({ path, after }) => (after === null ? [] : [path]));
  let known: TestPaths | null = null;
  const testPaths = (): TestPaths => (known ??= listTestPaths([...new Set([...paths, ...changed])], tests.isTest));
  const after = files.map((file) =>
    renameNewSkips([...listSide(file.after, file, testPaths), ...listLoweredThresholds(file)], file),
  );
  // Most changes have nothing afterwards, and then nothing was added, whatever there was before.
  const isClean = after.every(({ length }) => length === 0);
  const occurrences = files.map((file, at): FileOccurrences => ({
    file,
    before: isClean ? [] : listSide(file.before, file, testPaths),
    after: after[at] ?? [],
  }));
  const found = [...listAdded(occurrences), ...listInstallScripts(changes)];
  return { found, open: files.flatMap(listOpenCases) };
}

function listSide(source: ScannedSource | null, file: ChangedFile, tests: () => TestPaths): readonly Occurrence[] {
  if (source === null) return [];
  return [
    ...renameExplained(listOccurrences(source, SUPPRESSIONS, file.role), source, file),
    ...listShadows(source, file),
    ...listTampering(source, file),
    ...listDisabledRules(source, file),
    ...listExceptions(file, source.text),
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
