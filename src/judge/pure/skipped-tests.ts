/**
 * Whether a skip is about a test that was there before. A new test may be skipped: no check loses anything. A skip is
 * about the tests of the nearest declaration around it, and in none about all of its file.
 */
import { type ChangedFile, type FileOccurrences, type Occurrence, readLine } from "./changed-file.ts";
import { type DeclaredTest, findDeclaredTest, listDeclaredTests } from "./declared-tests.ts";
import { listNew, type Sides } from "./new-in-change.ts";
import type { ScannedSource } from "../../base/scan-source.ts";

/** In the order of the files. Each skip is about its test, so that it is the same one with another reason. */
export function placeSkips(files: readonly FileOccurrences[]): readonly FileOccurrences[] {
  const hasSkips = files.some(({ after }) => after.some(isSkip));
  if (!hasSkips) return files;
  const declared = files.map(({ file }) => ({ before: listSide(file, "before"), after: listSide(file, "after") }));
  const news = listNewTests(declared);
  return files.map(({ file, before, after }, place) => {
    const tests = declared[place] ?? { before: [], after: [] };
    const isNew = new Set(news[place]);
    const old = tests.after.filter((test) => !isNew.has(test));
    const ofOld = after.map((occurrence) =>
      isSkip(occurrence) && !isAboutOld(occurrence, file, tests.after, old)
        ? { ...occurrence, kind: "skipped_new_test" as const }
        : occurrence,
    );
    return { file, before: nameTests(before, tests.before), after: nameTests(ofOld, tests.after) };
  });
}

function isSkip({ kind }: Occurrence): boolean {
  return kind === "skipped_test";
}

function nameTests(occurrences: readonly Occurrence[], tests: readonly DeclaredTest[]): readonly Occurrence[] {
  return occurrences.map((one) => {
    const test = isSkip(one) ? findDeclaredTest(tests, one.at) : null;
    return test === null ? one : { ...one, about: test.name };
  });
}

function listSide({ path, ...sides }: ChangedFile, side: "before" | "after"): readonly DeclaredTest[] {
  const source = sides[side];
  return source === null ? [] : listDeclaredTests(source, path);
}

/**
 * A test that got other groups around it, or another file, is the same one. A second one of the same name is not new
 * either: it may take the place of the first.
 */
function listNewTests(files: readonly Sides<DeclaredTest>[]): readonly (readonly DeclaredTest[])[] {
  const unnamed = files.map(({ before, after }) => ({
    before: subtractNames(before, after),
    after: subtractNames(after, before),
  }));
  return listNew(unnamed, ({ name }) => name);
}

function subtractNames(tests: readonly DeclaredTest[], others: readonly DeclaredTest[]): readonly DeclaredTest[] {
  const known = new Set(others.map(nameInGroups));
  return tests.filter((test) => !known.has(nameInGroups(test)));
}

function nameInGroups({ groups, name }: DeclaredTest): string {
  return [...groups, name].join("\0");
}

/** What decides for tests of other files. */
const OF_OTHER_FILES = /\bcollect_ignore|\bpytest_collection_modifyitems\b/u;

function isAboutOld(
  { at, text }: Occurrence,
  { before, after }: ChangedFile,
  tests: readonly DeclaredTest[],
  old: readonly DeclaredTest[],
): boolean {
  if (after === null || OF_OTHER_FILES.test(text)) return true;
  const around = findDeclaredTest(tests, at);
  const helper = around === null || around.kind === "group" ? findHelper(after, at) : null;
  if (helper !== null)
    return isUsed(
      helper,
      before,
      old.map(({ start, end }) => after.text.slice(start, end)),
    );
  if (around === null) return before !== null || old.length > 0;
  return old.some(({ start, end }) => around.start <= start && end <= around.end);
}

/** What it skips are the tests that call it. Where it stood before, these may be in any file. */
function isUsed(helper: string, before: ScannedSource | null, texts: readonly string[]): boolean {
  const name = new RegExp(String.raw`(?<!\w)${helper}(?!\w)`, "u");
  return [before?.code ?? "", ...texts].some((text) => name.test(text));
}

const FUNCTIONS =
  /^(?<indent>[ \t]*)(?:(?:export|async|pub|private|public|protected|internal|static|final|override)\s+)*(?:(?:def|func|function|fn|fun)\s+(?:\([^()\n]*\)\s*)?|(?:const|let|var)\s+(?=\w+\s*=\s*(?:async\s*)?(?:\(|function))|(?:[\w<>[\],.?]+[ \t]+){1,3}(?=\w+\([^()\n;]*\)[^()\n;=]*\{?[ \t]*$))(?<name>\w+)/gmu;
/** A runner calls these itself, for every test. */
const CALLED_BY_RUNNER = /^(?:set_?up|tear_?down|before|after|around|init|test)/iu;
const FAR = 6000;

const MARK = /(?:^|\n)(?!pytestmark\b)(?<name>\w+)\s*=[^=\n]*$/u;

/** The name of the function around a place, or of a mark, if tests use it. */
function findHelper({ code }: ScannedSource, at: number): string | null {
  const before = code.slice(Math.max(0, at - FAR), at);
  return MARK.exec(before)?.groups?.["name"] ?? findFunction(before);
}

function findFunction(before: string): string | null {
  const indent = /[^\n]*$/u.exec(before)?.[0].search(/\S|$/u) ?? 0;
  for (const { index, groups } of [...before.matchAll(FUNCTIONS)].toReversed()) {
    const { name = "", indent: own = "" } = groups ?? {};
    if (own.length >= indent) continue;
    return CALLED_BY_RUNNER.test(name) || hasEnded(before.slice(index), own.length) ? null : name;
  }
  return null;
}

/** By a line at its margin. */
function hasEnded(code: string, indent: number): boolean {
  const inner = code.split("\n").slice(1, -1);
  return inner.some((line) => /\w/u.test(line) && line.search(/\S/u) <= indent);
}

const OPTIONS = /\b(?:skip|todo|ignore):(?<=[{,]\s*\w+:)\s*(?!false|undefined|!?\w*[pP]latform)(?=\S)/gu;

/** Options of the call that declares a test, and of no other call. */
export function listSkipOptions(source: ScannedSource, { path, role }: ChangedFile): readonly Occurrence[] {
  if (role !== "test" || (source.language !== "js" && source.language !== "ts")) return [];
  const found = [...source.code.matchAll(OPTIONS)];
  if (found.length === 0) return [];
  const tests = listDeclaredTests(source, path);
  return found.flatMap(({ index: at }) => {
    const test = findDeclaredTest(tests, at);
    const isOption = test !== null && listOpen(source.code.slice(test.start, at)) === "({";
    return isOption ? [{ kind: "skipped_test" as const, at, text: readLine(source.text, at) }] : [];
  });
}

/** The brackets that are not closed. */
function listOpen(code: string): string {
  let open = "";
  for (const [sign] of code.matchAll(/[()[\]{}]/gu)) open = "([{".includes(sign) ? open + sign : open.slice(0, -1);
  return open;
}
