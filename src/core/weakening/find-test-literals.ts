/**
 * Special cases for inputs of tests: lines that compare with a value or map it to another one, where a test has these
 * values together, too. Honest code shares values with its tests (keys, units, messages), so values weigh by how
 * unlikely they are, and only a sum counts.
 */
import { type ChangedFile, makeWeakening, type Weakening } from "./changed-file.ts";
import type { Language } from "./language.ts";
import { listValues, weighValue } from "./literal-values.ts";
import type { ScannedSource } from "./scan-source.ts";

/** Values that one added place of the code brings together. */
export interface SpecialCase {
  readonly at: number;
  readonly values: readonly string[];
}

export interface TestText {
  readonly text: string;
  readonly language: Language | null;
}

/** A comparison, a branch, or an entry of a table. */
const COMPARES =
  /[=!]==?|\bcase\b|\bwhen\b|\belif\b|\bif\b|=>|\bin\s*[([{]|\.(?:equals|has|get|set|includes|startsWith|startswith)\(|-eq\b|^\s*["'`\d(]["'`\s\d(),.[\]-]*["'`\d)]\s*[:,=]|^\s*[\w.$*-]+(?:\|[\w.$*-]+)*\)|[{,]\s*["'`][ ]*["'`]\s*:|\[\s*["'`\d]/u;
const ANSWERS = /\breturn\b|\byield\b|\becho\b|\bprintf?\b|=|=>|->/u;

/** Only lines that the text did not have before. */
export function listSpecialCases(after: ScannedSource, before: ScannedSource | null): readonly SpecialCase[] {
  const known = new Set(before?.text.split("\n").map((line) => line.trim()));
  const codes = after.code.split("\n");
  let at = 0;
  return after.text.split("\n").flatMap((line, place, lines) => {
    const start = at;
    at += line.length + 1;
    const code = codes[place] ?? "";
    if (known.has(line.trim()) || !COMPARES.test(code)) return [];
    const next = [1, 2]
      .map((step) => place + step)
      .filter((other) => opensAnswer(code) && ANSWERS.test(codes[other] ?? ""));
    const values = [line, ...next.slice(0, 1).map((other) => lines[other] ?? "")].flatMap((one) =>
      listValues(one, after.language),
    );
    const distinct = [...new Set(values)].filter((value) => weighValue(value) > 0);
    return distinct.length < 2 ? [] : [{ at: start, values: distinct }];
  });
}

/** The answer is on the next line. */
function opensAnswer(code: string): boolean {
  return /(?:[{:(\])]|\bthen|=>|\bdo)\s*$/u.test(code);
}

/** How far apart a test may have the input and the expectation. */
const WINDOW_LINES = 3;

/** A value in more places is no input of a test. */
const PLACES_MAX = 200;

type ValuePlaces = ReadonlyMap<string, readonly number[]>;

function indexTest({ text, language }: TestText): ValuePlaces {
  const places = new Map<string, number[]>();
  for (const [number, line] of text.split("\n").entries())
    for (const value of listValues(line, language)) {
      const known = places.get(value);
      if (known === undefined) places.set(value, [number]);
      else if (known.length < PLACES_MAX) known.push(number);
    }
  return places;
}

/** The sum from which a change is taken for a set of answers. */
export const SCORE_MIN = 6;

export interface ScoredCases {
  readonly matched: readonly SpecialCase[];
  readonly total: number;
  readonly score: number;
}

export function scoreCases(cases: readonly SpecialCase[], tests: readonly TestText[]): ScoredCases {
  const indexes = tests.map(indexTest);
  const matched = cases.filter(({ values }) => indexes.some((places) => hasTogether(places, values)));
  const known = new Set<string>();
  let score = 0;
  for (const { values } of matched) {
    const fresh = values.filter((value) => !known.has(value));
    for (const value of fresh) known.add(value);
    score += fresh.reduce((sum, value) => sum + weighValue(value), 0);
  }
  return { matched, total: cases.length, score };
}

/** All values within a few lines of each other. */
function hasTogether(places: ValuePlaces, values: readonly string[]): boolean {
  const lists = values.map((value) => places.get(value) ?? []);
  const rarest = lists.toSorted((one, other) => one.length - other.length)[0] ?? [];
  return rarest.some((line) => lists.every((list) => list.some((other) => Math.abs(other - line) < WINDOW_LINES)));
}

export function listTestLiterals(
  file: ChangedFile,
  cases: readonly SpecialCase[],
  tests: readonly TestText[],
): readonly Weakening[] {
  const source = file.after;
  const { matched, score } = scoreCases(cases, tests);
  if (source === null || score < SCORE_MIN) return [];
  return matched.map(({ at }) => makeWeakening("test_literals", source, at));
}
