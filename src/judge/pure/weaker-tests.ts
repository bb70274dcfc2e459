/**
 * Tests that are gone or prove less than before, seen without a run: by the tests that the texts declare, and by their
 * assertions. What moved is not gone. A test may go with its subject, or where as many others come.
 */
import { pairBrackets } from "../../base/pair-brackets.ts";
import { asksForFewerTests } from "./asked-work.ts";
import { type Assertion, listAssertions, mayAssert } from "./assertions.ts";
import { type ChangedFile, makeWeakening, type Weakening } from "./changed-file.ts";
import { type DeclaredTest, listDeclaredTests } from "./declared-tests.ts";
import type { Kind } from "./kinds.ts";
import { addTo, listNew, type Sides, takeFrom, type Tally } from "./new-in-change.ts";
import type { ScannedSource } from "../../base/scan-source.ts";

type Found = readonly [path: string, weakening: Weakening];

interface ReadTest extends DeclaredTest {
  /** The second one of a name is another test. */
  readonly id: string;
  readonly source: ScannedSource;
  readonly assertions: readonly Assertion[];
  /** A helper may assert in its place. */
  readonly mayAssert: boolean;
}

interface ReadFile extends Sides<ReadTest> {
  readonly path: string;
}

/** Languages whose tests may stand beside the code. */
const WITH_INLINE_TESTS = /\.(?:rs|py|dart)$/u;

/** The most of one file; more say nothing new. */
const PLACES_MAX = 20;

/** `task` is empty where nobody asked for anything. */
export function listWeakerTests(changed: readonly ChangedFile[], task = ""): readonly Found[] {
  const files = changed
    .filter(({ path, role }) => role === "test" || (role === "source" && WITH_INLINE_TESTS.test(path)))
    .map(({ path, before, after }) => ({ path, before: readTests(before, path), after: readTests(after, path) }));
  if (files.every(({ before, after }) => before.length + after.length === 0)) return [];
  const context = {
    ...readContext(changed, task),
    gained: tallyGained(files),
    moved: listMoved(files),
  };
  const times: Tally = new Map();
  return [...listGoneTests(files, context), ...files.flatMap((file) => listChangedTests(file, context))].filter(
    ([path]) => {
      addTo(times, path, 1);
      return (times.get(path) ?? 0) <= PLACES_MAX;
    },
  );
}

function readTests(source: ScannedSource | null, path: string): readonly ReadTest[] {
  if (source === null) return [];
  const outer: DeclaredTest[] = [];
  for (const test of listDeclaredTests(source, path))
    // What stands inside of a test belongs to it, and the name in a macro is none yet.
    if (test.kind === "test" && test.start >= (outer.at(-1)?.end ?? 0) && !test.name.startsWith("$")) outer.push(test);
  if (outer.length === 0) return [];
  const brackets = pairBrackets(source.code);
  const times: Tally = new Map();
  return outer.map((test) => {
    addTo(times, nameInGroups(test), 1);
    const body = { source, brackets, start: test.start, end: test.end };
    const id = `${nameInGroups(test)}\0${times.get(nameInGroups(test)) ?? 0}`;
    return { ...test, id, source, assertions: listAssertions(body), mayAssert: mayAssert(body) };
  });
}

interface Context {
  /** How much more often the code has a word than before; below zero, where something of that name went. */
  readonly words: Tally;
  /** Whether only tests changed, and nobody asked for anything: then no code hides behind them. */
  readonly isAlone: boolean;
  readonly mayGo: boolean;
  /** The assertions that the change adds, in whatever test. */
  readonly gained: Tally;
  /** By name, the tests that left their place. */
  readonly moved: ReadonlyMap<string, ReadTest>;
}

const WORD = /[A-Za-z_]\w{2,}/gu;

function readContext(changed: readonly ChangedFile[], task: string): Pick<Context, "words" | "isAlone" | "mayGo"> {
  const others = changed.filter(({ role }) => role !== "test");
  const words: Tally = new Map();
  for (const { before, after } of others) {
    for (const [word] of (after?.code ?? "").matchAll(WORD)) addTo(words, word, 1);
    for (const [word] of (before?.code ?? "").matchAll(WORD)) addTo(words, word, -1);
  }
  return { words, isAlone: others.length === 0 && task === "", mayGo: task !== "" && asksForFewerTests(task) };
}

function tallyGained(files: readonly ReadFile[]): Tally {
  const gained: Tally = new Map();
  for (const { before, after } of files) {
    for (const { assertions } of after)
      for (const { text, flaw } of assertions) addTo(gained, text, flaw === null ? 1 : 0);
    for (const { assertions } of before) for (const { text } of assertions) addTo(gained, text, -1);
  }
  return gained;
}

function goesWithSubject({ source, start, end }: ReadTest, { words }: Context): boolean {
  return [...source.code.slice(start, end).matchAll(WORD)].some(([word]) => (words.get(word) ?? 0) < 0);
}

const nameInGroups = ({ groups, name }: DeclaredTest): string => [...groups, name].join("\0");
const readName = ({ name }: ReadTest): string => name;

function listGoneTests(files: readonly ReadFile[], context: Context): readonly Found[] {
  const unnamed = files.map(({ before, after }) => ({
    before: subtract(before, after),
    after: subtract(after, before),
  }));
  const came = listNew(unnamed, readName).flat().filter(isSound);
  const gone = listNew(
    unnamed.map(({ before, after }) => ({ before: after, after: before })),
    readName,
  ).map((tests) => tests.filter((test) => isSound(test) && !standsElsewhere(test, context.gained)));
  const lost = gone.flat().filter((test) => !goesWithSubject(test, context));
  const isReplaced = context.mayGo || context.isAlone || came.length >= lost.length;
  return gone.flatMap((tests, place) =>
    tests.map((test): Found => {
      const kind = isReplaced || !lost.includes(test) ? "replaced_test" : "deleted_test";
      return [files[place]?.path ?? "", makeWeakening(kind, test.source, test.start)];
    }),
  );
}

function listMoved(files: readonly ReadFile[]): ReadonlyMap<string, ReadTest> {
  return new Map(
    files.flatMap(({ before, after }) => subtract(before, after).map((test) => [test.name, test] as const)),
  );
}

function subtract(tests: readonly ReadTest[], others: readonly ReadTest[]): readonly ReadTest[] {
  const known = new Set(others.map(({ id }) => id));
  return tests.filter((test) => !known.has(test.id));
}

function isSound({ assertions }: ReadTest): boolean {
  return assertions.some(({ flaw }) => flaw === null);
}

/** At least half of what it asserts. */
function standsElsewhere({ assertions }: ReadTest, gained: Tally): boolean {
  const there = assertions.filter(({ text }) => (gained.get(text) ?? -1) >= 0);
  return there.length * 2 >= assertions.length;
}

function listChangedTests({ path, before, after }: ReadFile, context: Context): readonly Found[] {
  const old = new Map(before.map((test) => [test.id, test]));
  return after.flatMap((test): readonly Found[] => {
    const was = old.get(test.id) ?? context.moved.get(test.name);
    const found = was === undefined ? judgeNew(test) : compareTests(was, test, context);
    return found === null ? [] : [[path, makeWeakening(found.kind, found.source, found.at)]];
  });
}

interface Weaker {
  readonly kind: Kind;
  readonly source: ScannedSource;
  readonly at: number;
}

const FLAWS = { empty: "empty_assertion", caught: "caught_assertion", unreached: "unreached_assertion" } as const;

function judgeNew(test: ReadTest): Weaker | null {
  const { source, assertions, start } = test;
  if (isSound(test)) return null;
  const [first] = assertions;
  if (first !== undefined) return { kind: FLAWS[first.flaw ?? "empty"], source, at: first.at };
  return test.mayAssert ? null : { kind: "unasserted_test", source, at: start };
}

function compareTests(was: ReadTest, is: ReadTest, context: Context): Weaker | null {
  const before = was.assertions.filter(({ flaw }) => flaw === null);
  const after = is.assertions.filter(({ flaw }) => flaw === null);
  const lost = subtractTexts(before, after);
  if (lost.length === 0) return null;
  const flawed = subtractTexts(is.assertions, was.assertions).find(({ flaw }) => flaw !== null);
  if (flawed !== undefined) return { kind: FLAWS[flawed.flaw ?? "empty"], source: is.source, at: flawed.at };
  if (after.length === 0)
    return {
      kind: is.mayAssert || is.id !== was.id ? "fewer_assertions" : "hollowed_test",
      source: is.source,
      at: is.start,
    };
  const news = subtractTexts(after, before);
  const weaker = news.find((one) => isWeaker(one, lost, news));
  if (weaker !== undefined) return { kind: "weaker_assertion", source: is.source, at: weaker.at };
  // Where a test moved, the file of its new place has no line for what is gone.
  return news.length >= lost.length || is.id !== was.id ? null : judgeLost(was, lost, isCut(was, is), context);
}

/** By what they say: the place of a test's lines means nothing. */
function subtractTexts(from: readonly Assertion[], others: readonly Assertion[]): readonly Assertion[] {
  const known: Tally = new Map();
  for (const { text, flaw } of others) addTo(known, `${text}\0${flaw}`, 1);
  return from.filter(({ text, flaw }) => !takeFrom(known, `${text}\0${flaw}`));
}

/** A range, or a kind of value. */
const ASKS_LITTLE = /[<>]=?|instanceof|isinstance/u;
const TYPE_OF = /^(?:typeof\b|type\()/u;

/** It asked for a value before, and now only whether there is one, of which type, or in which range. */
function isWeaker(one: Assertion, lost: readonly Assertion[], news: readonly Assertion[]): boolean {
  const { strength, subject } = one;
  const asksLittle = strength === null && ASKS_LITTLE.test(one.text.replaceAll(/["'][^"']*["']|=>|->|<[\w?]+>/gu, ""));
  if (subject === "" || !(strength === "weak" || asksLittle || TYPE_OF.test(subject))) return false;
  const isAbout = (other: Assertion): boolean =>
    other.strength === "exact" &&
    !TYPE_OF.test(other.subject) &&
    (other.subject.includes(subject) || (strength !== "weak" && isNamed(other.subject, one.text)));
  return lost.some(isAbout) && !news.some(isAbout);
}

function isNamed(subject: string, text: string): boolean {
  return subject.length > 2 && text.includes(subject.replaceAll(/\s+/gu, ""));
}

/** Whether nothing came to the test. */
function isCut(was: ReadTest, is: ReadTest): boolean {
  const listLines = ({ source, start, end }: ReadTest): readonly string[] =>
    source.text
      .slice(start, end)
      .split("\n")
      .map((line) => line.trim());
  const known = new Set(listLines(was));
  const starts = listLines({ ...is, source: { ...is.source, text: is.source.code } });
  return listLines(is).every((line, place) => known.has(line) || starts[place] === "");
}

function judgeLost(
  was: ReadTest,
  lost: readonly Assertion[] /** Whether nothing came in their place. */,
  isOnlyCut: boolean,
  context: Context,
): Weaker | null {
  const gone = lost.filter(({ text }) => (context.gained.get(text) ?? -1) < 0);
  const first = gone.find(({ strength }) => strength !== "weak") ?? gone[0];
  if (first === undefined) return null;
  const place = { ...was, start: first.at, end: first.at + first.text.length };
  const isMeant = context.isAlone || context.mayGo || first.strength === "weak" || goesWithSubject(place, context);
  return { kind: isMeant || !isOnlyCut ? "fewer_assertions" : "lost_assertion", source: was.source, at: first.at };
}
