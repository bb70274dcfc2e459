import {
  type ChangedFile,
  type FileOccurrences,
  makeWeakening,
  type Occurrence,
  type Weakening,
  readChangedFile,
  readLine,
  type ChangedText,
  type FileTests,
} from "./changed-file.ts";
import type { ScannedSource } from "../../base/scan-source.ts";
import { listOccurrences } from "./find-patterns.ts";
import { listTampering } from "./find-tampering.ts";
import { indexTest, listSpecialCases, listValues, listWanted, type SpecialCase } from "./find-test-literals.ts";
import { isUnderTest, listTestPaths, listTestReads, type TestPaths } from "./find-test-reads.ts";
import { findLanguage, type Language } from "../../base/language.ts";
import { type DeclaredTest, listDeclaredTests } from "./declared-tests.ts";
import { isEnclosed } from "../../base/pair-brackets.ts";
import { addTo, listNew, type Sides, takeFrom, type Tally } from "./new-in-change.ts";
import { listInstallScripts, listNewModules, listStandardShadows, type NewModule } from "./new-modules.ts";
import { listTestLiterals } from "./score-test-literals.ts";
import { listSkipOptions, placeSkips } from "./skipped-tests.ts";
import { SUPPRESSIONS } from "./suppression-table.ts";
import { listWeakerTests } from "./weaker-tests.ts";

/** Which occurrences a change adds. A file counts by kind: after an edit of a line there are as many as before. */

/** The most of one file; more say nothing new. */
const ADDED_MAX = 20;

const nameOccurrence = ({ kind, text, about = text }: Occurrence): string => `${kind}\0${about}`;

/** By path. */
export function listAdded(files: readonly FileOccurrences[]): readonly (readonly [string, Weakening])[] {
  const added = listNew(files.map(leaveOutStanding), nameOccurrence);
  return files.flatMap(({ file, before, after }, place) => {
    const source = file.after;
    if (source === null) return [];
    const net = countNet(before, after);
    const found = (added[place] ?? [])
      .filter(({ kind, about }) => about !== undefined || takeFrom(net, kind))
      .map(({ kind, at }) => makeWeakening(kind, source, at));
    const places = new Map(found.map((one) => [`${one.kind} ${one.line}`, one]));
    return [...places.values()].slice(0, ADDED_MAX).map((one) => [file.path, one] as const);
  });
}

/** Of two that are the same, the one between other lines is new. */
function leaveOutStanding({ file, before, after }: FileOccurrences): Sides<Occurrence> {
  const [was, is] = [nameWithLines(file.before), nameWithLines(file.after)];
  const [known, stands]: [Tally, Tally] = [new Map(), new Map()];
  for (const one of before) addTo(known, was(one), 1);
  for (const one of after) if ((known.get(is(one)) ?? 0) > (stands.get(is(one)) ?? 0)) addTo(stands, is(one), 1);
  const [gone, left]: [Tally, Tally] = [new Map(stands), new Map(stands)];
  return {
    before: before.filter((one) => !takeFrom(gone, was(one))),
    after: after.filter((one) => !takeFrom(left, is(one))),
  };
}

/** With the lines above and below. */
function nameWithLines(source: ScannedSource | null): (one: Occurrence) => string {
  const text = source?.text ?? "";
  return (one) => {
    const start = text.lastIndexOf("\n", one.at - 1);
    const end = text.indexOf("\n", one.at);
    const [above, below] = [start <= 0 ? "" : readLine(text, start - 1), end === -1 ? "" : readLine(text, end + 1)];
    return [nameOccurrence(one), above, below].join("\0");
  };
}

function countNet(before: readonly Occurrence[], after: readonly Occurrence[]): Tally {
  const net: Tally = new Map();
  const count = (all: readonly Occurrence[], step: number) => {
    for (const { kind, about } of all) if (about === undefined) addTo(net, kind, step);
  };
  count(after, 1);
  count(before, -1);
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

/** Every place where a change weakens the checks, found by rules over its text. */

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
  readonly open: OpenCases;
  /** What is to be compared with the distributions that are installed. */
  readonly modules: readonly NewModule[];
}

export interface OpenCases {
  readonly files: readonly { readonly file: ChangedFile; readonly cases: readonly SpecialCase[] }[];
  /** The tests inside of changed sources. */
  readonly inline: TestTexts;
  /** Whether a value stood in changed code before. */
  readonly isKnown: (value: string) => boolean;
  /** How many lines of code the change adds. */
  readonly lines: number;
}

/** Texts of tests by path: before the change, and of those that it adds or changes. */
export type TestTexts = Sides<readonly [path: string, text: string]>;

export function findWeakenings({ changes, paths, task, ...tests }: WeakeningQuestion): WeakeningAnswer {
  const files = changes.flatMap((change) => readChangedFile(change, tests) ?? []);
  const changed = changes.flatMap(({ path, after }) => (after === null ? [] : [path]));
  let known: TestPaths | null = null;
  const testPaths = (): TestPaths => (known ??= listTestPaths([...new Set([...paths, ...changed])], tests.isTest));
  const after = files.map((file) => listSide(file.after, file, testPaths));
  // Most changes have nothing afterwards, and then nothing was added, whatever there was before.
  const isClean = after.every(({ length }) => length === 0);
  const occurrences = files.map((file, at) => ({
    file,
    before: isClean ? [] : listSide(file.before, file, testPaths),
    after: after[at] ?? [],
  }));
  const modules = listNewModules(changes, paths);
  const found = [
    ...listAdded(placeSkips(occurrences)),
    ...listWeakerTests(files, task),
    ...listInstallScripts(changes),
    ...listStandardShadows(modules),
  ];
  return { found, open: listOpenCases(files), modules };
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

function listOpenCases(files: readonly ChangedFile[]): OpenCases {
  const code = files.filter(({ role }) => role !== "test");
  const known = code.flatMap(({ before }) => (before === null ? [] : [before]));
  const lines = new Set(known.flatMap(({ text }) => listLines(text)));
  const inline = code.map((file) => ({
    before: listInlineTests(file, "before"),
    after: listInlineTests(file, "after"),
  }));
  const open = code.flatMap((file, place) => {
    if (!isUnderTest(file) || file.after === null) return [];
    const isTest = (at: number) => inline[place]?.after.some((test) => isEnclosed(test, at)) ?? false;
    const cases = listSpecialCases(file.after, (line) => lines.has(line), isTest);
    return cases.length === 0 ? [] : [{ file, cases }];
  });
  const take = (side: "before" | "after") =>
    code.flatMap((file, place) =>
      (inline[place]?.[side] ?? []).map(
        ({ start, end }) => [file.path, file[side]?.text.slice(start, end) ?? ""] as const,
      ),
    );
  // What only a test inside of a source had is no value of the code.
  const listKnownValues = () =>
    code.flatMap(({ before }, place) => (before === null ? [] : listValuesOf(before, inline[place]?.before ?? [])));
  let values: ReadonlySet<string> | null = null;
  return {
    files: open,
    inline: { before: take("before"), after: take("after") },
    isKnown: (value) => (values ??= new Set(listKnownValues())).has(value),
    lines: code.flatMap(({ after }) => listLines(after?.text ?? "")).filter((line) => !lines.has(line)).length,
  };
}

function listLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function listValuesOf({ text, language }: ScannedSource, tests: readonly InlineTest[]): readonly string[] {
  let at = 0;
  return text.split("\n").flatMap((line) => {
    const start = at;
    at += line.length + 1;
    return tests.some((test) => isEnclosed(test, start)) ? [] : listValues(line, language);
  });
}

/** Examples in the documents of a source that its tools run as tests. */
const DOCTESTS: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /^[ \t]*>>> .*(?:\n[ \t]*(?!"""|''')\S.*)*/gmu,
  rust: /^[ \t]*\/\/[/!][ \t]*```.*(?:\n[ \t]*\/\/[/!](?![ \t]*```).*)*/gmu,
};

/** Tests that stand in a source, with what helps them. */
function listInlineTests(file: ChangedFile, side: "before" | "after"): readonly InlineTest[] {
  const source = file[side];
  if (source === null) return [];
  const declared = listDeclaredTests(source, file.path).filter(
    ({ kind, start }) => kind !== "group" || source.code.startsWith("#[cfg(test", start),
  );
  const pattern = DOCTESTS[file.language];
  const examples = pattern === undefined ? [] : [...source.text.matchAll(pattern)];
  return [...declared, ...examples.map(({ index, 0: text }) => ({ start: index, end: index + text.length }))];
}

type InlineTest = Pick<DeclaredTest, "start" | "end">;

/** The texts of the tests, and that of the task. */
export function compareWithTests(
  { files, inline, isKnown, lines }: OpenCases,
  texts: TestTexts,
  task = "",
): WeakeningAnswer["found"] {
  const wanted = listWanted(files.flatMap(({ cases }) => cases));
  const index = (tests: TestTexts["before"]) =>
    tests.map(([path, text]) => indexTest(text, findLanguage(path, text), wanted));
  const knowledge = {
    before: index([...texts.before, ...inline.before]),
    own: index([...texts.after, ...inline.after]),
    isKnown,
    isNamed: (value: string) => task.includes(value),
    lines,
  };
  return files.flatMap(({ file, cases }) =>
    listTestLiterals(file, cases, knowledge).map((weakening) => [file.path, weakening] as const),
  );
}
