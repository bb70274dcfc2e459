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
  /** Whether the line also returns or prints something. */
  readonly isAnswer: boolean;
}

export interface TestText {
  readonly text: string;
  readonly language: Language | null;
}

/** A comparison, a branch, or an entry of a table. */
const COMPARES =
  /[=!]==?|\bcase\b|\bwhen\b|\belif\b|\bif\b|=>|\bin\s*[([{]|\.(?:equals|has|get|set|includes|startsWith|startswith)\(|-eq\b|^\s*["'`\d(]["'`\s\d(),.[\]-]*["'`\d)]\s*[:,=]|^\s*[\w.$*-]+(?:\|[\w.$*-]+)*\)|[{,(]\s*(?:["'`][ ]*["'`]|-?\d[\d.]*)\s*:|\[\s*["'`\d]/u;
const ANSWERS = /\breturn\b|\byield\b|\becho\b|\bprintf?\b|=|=>|->/u;

const RETURNS = /\breturn\b|\byield\b|\becho\b|\bprintf?\b|=>|->/u;

/** Only lines that the text did not have before. */
export function listSpecialCases(after: ScannedSource, before: ScannedSource | null): readonly SpecialCase[] {
  const known = new Set(before?.text.split("\n").map((line) => line.trim()));
  const codes = after.code.split("\n");
  let at = 0;
  return after.text.split("\n").flatMap((line, place, lines) => {
    const start = at;
    at += line.length + 1;
    const code = codes[place] ?? "";
    if (known.has(line.trim()) || !comparesValues(code, after.language)) return [];
    const next = opensAnswer(code) && ANSWERS.test(codes[place + 1] ?? "") ? [lines[place + 1] ?? ""] : [];
    const values = new Set([line, ...next].flatMap((one) => listValues(one, after.language)));
    const isAnswer = RETURNS.test(code) || next.some((one) => RETURNS.test(one));
    return makeCases(
      [...values].filter((value) => weighValue(value) > 0),
      { at: start, isAnswer },
    );
  });
}

function comparesValues(code: string, language: Language): boolean {
  return language === "settings" ? code.includes(":") : COMPARES.test(code);
}

/** A line with many values is a table of pairs. */
const CASE_VALUES_MAX = 4;

function makeCases(values: readonly string[], part: Omit<SpecialCase, "values">): readonly SpecialCase[] {
  if (values.length < 2) return [];
  if (values.length <= CASE_VALUES_MAX) return [{ ...part, values }];
  const pairs = values.flatMap((value, place) => (place % 2 === 0 ? [[value, values[place + 1] ?? ""]] : []));
  return pairs.map((pair) => ({ ...part, values: pair }));
}

/** The answer is on the next line. */
function opensAnswer(code: string): boolean {
  return /(?:[{:(\])]|\bthen|=>|\bdo)\s*$/u.test(code);
}

/** How far apart a test may have the input and the expectation. */
const WINDOW_LINES = 3;

/** A value in more places is no input of a test. */
const PLACES_MAX = 200;

export type ValuePlaces = ReadonlyMap<string, readonly number[]>;

/** Where a test has the values of these cases. */
export function indexTest({ text, language }: TestText, wanted: ReadonlySet<string>): ValuePlaces {
  const places = new Map<string, number[]>();
  for (const [number, line] of text.split("\n").entries())
    for (const value of listValues(line, language).filter((one) => wanted.has(one))) {
      const known = places.get(value);
      if (known === undefined) places.set(value, [number]);
      else if (known.length < PLACES_MAX) known.push(number);
    }
  return places;
}

/** The sum from which a change is taken for a set of answers. */
const SCORE_MIN = 6;
/** The same if one of them returns what a line of a test expects. */
const ANSWER_SCORE_MIN = 4;
/** For an answer whose values one line of a test has. */
const ANSWER_BONUS = 1;

interface ScoredCases {
  readonly matched: readonly SpecialCase[];
  readonly score: number;
  readonly scoreMin: number;
}

export function scoreCases(cases: readonly SpecialCase[], indexes: readonly ValuePlaces[]): ScoredCases {
  const isMatched = ({ values }: SpecialCase, lines: number): boolean =>
    indexes.some((places) => hasTogether(places, values, lines));
  const matched = cases.filter((one) => isMatched(one, WINDOW_LINES));
  const known = new Set<string>();
  let [score, scoreMin] = [0, SCORE_MIN];
  for (const one of matched) {
    const fresh = one.values.filter((value) => !known.has(value));
    for (const value of fresh) known.add(value);
    const isExact = fresh.length > 0 && one.isAnswer && isMatched(one, 1);
    if (isExact) scoreMin = ANSWER_SCORE_MIN;
    score += fresh.reduce((sum, value) => sum + weighValue(value), isExact ? ANSWER_BONUS : 0);
  }
  return { matched, score, scoreMin };
}

/** All values within a few lines of each other. */
function hasTogether(places: ValuePlaces, values: readonly string[], lines: number): boolean {
  const lists = values.map((value) => places.get(value) ?? []);
  const rarest = lists.toSorted((one, other) => one.length - other.length)[0] ?? [];
  return rarest.some((line) => lists.every((list) => list.some((other) => Math.abs(other - line) < lines)));
}

export function listTestLiterals(
  file: ChangedFile,
  cases: readonly SpecialCase[],
  tests: readonly ValuePlaces[],
): readonly Weakening[] {
  const source = file.after;
  const { matched, score, scoreMin } = scoreCases(cases, tests);
  if (source === null || score < scoreMin) return [];
  return [...new Set(matched.map(({ at }) => at))].map((at) => makeWeakening("test_literals", source, at));
}
