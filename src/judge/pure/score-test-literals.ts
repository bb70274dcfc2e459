/** Adds up how unlikely it is that code and tests have their values in common by chance. */
import { type ChangedFile, makeWeakening, type Weakening } from "./changed-file.ts";
import type { SpecialCase, ValuePlaces } from "./find-test-literals.ts";
import { splitValue, weighValue } from "./find-test-literals.ts";

/** The sum from which a change is taken for a set of answers. */
const SCORE_MIN = 6;
/** The same if one of them returns what a line of a test expects. */
const ANSWER_SCORE_MIN = 4;
/** For an answer whose values one line of a test has. */
const ANSWER_BONUS = 1;
/** A table of which the tests know less is data. */
const KNOWN_MIN = 1 / 3;
/** How far apart a test may have the input and the expectation. */
const WINDOW_LINES = 3;
/** An input and its answer. */
const PAIR = 2;

interface Match {
  readonly values: readonly string[];
  readonly isExact: boolean;
  readonly replaces: boolean;
}

export interface TestKnowledge {
  readonly indexes: readonly ValuePlaces[];
  /** Whether the task names this value, so that code may know it from there. */
  readonly isNamed: (value: string) => boolean;
}

export function listTestLiterals(
  file: ChangedFile,
  cases: readonly SpecialCase[],
  knowledge: TestKnowledge,
): readonly Weakening[] {
  const source = file.after;
  const matched = cases.map((one) => ({ at: one.at, matches: listMatches(one, knowledge.indexes) }));
  const known = matched.filter(({ matches }) => matches.length > 0);
  if (source === null || known.length < cases.length * KNOWN_MIN) return [];
  const matches = known.flatMap((one) => one.matches);
  if (!isSetOfAnswers(matches, knowledge.isNamed)) return [];
  return known.map(({ at }) => makeWeakening("test_literals", source, at));
}

/** All values of a line within a few lines of a test, or a table with pairs from several lines of it. */
function listMatches(one: SpecialCase, indexes: readonly ValuePlaces[]): readonly Match[] {
  const { values, isAnswer, isEntry, replaces } = one;
  const groups = indexes.flatMap((places) => listGroups(places, values));
  if (groups.length > 1 && values.length > PAIR)
    return groups.map((group) => ({ values: group, isExact: isPeculiar(group), replaces }));
  const weighty = listWeighty(values);
  const stands = (lines: number): boolean => indexes.some((places) => hasTogether(places, weighty, lines));
  if (weighty.length < PAIR || !stands(WINDOW_LINES)) return [];
  const answers = isAnswer || replaces || (isEntry && isInput(values));
  return [{ values, isExact: answers && stands(1), replaces }];
}

function listWeighty(values: readonly string[]): readonly string[] {
  return values.filter((value) => weighValue(value) > 0);
}

/** All values within a few lines of each other. */
function hasTogether(places: ValuePlaces, values: readonly string[], lines: number): boolean {
  const lists = values.map((value) => places.get(value) ?? []);
  const rarest = lists.toSorted((one, other) => one.length - other.length)[0] ?? [];
  return rarest.some((line) => lists.every((list) => list.some((other) => Math.abs(other - line) < lines)));
}

/** The values that one line of the test has together, for each of its lines. A key may be made of several values. */
function listGroups(places: ValuePlaces, values: readonly string[]): readonly (readonly string[])[] {
  const byLine = new Map<number, Set<string>>();
  for (const value of values.flatMap((one) => (places.has(one) ? [one] : splitValue(one))))
    for (const line of places.get(value) ?? []) byLine.set(line, (byLine.get(line) ?? new Set()).add(value));
  const groups = [...byLine.values()].map((group) => [...group]);
  return groups.filter((group) => group.length > 1 && listWeighty(group).length > 0);
}

/** A word and a number are the entry of many tables; a text, or a word with a number in it, is not. */
function isPeculiar(values: readonly string[]): boolean {
  const words = values.filter((value) => !/^-?[\d.]+$/u.test(value));
  const isMixed = words.length > 0 && words.length < values.length;
  return !isMixed || words.some((word) => !/^[a-z_$]+$/iu.test(word));
}

/** "12 EUR" is one of many inputs, even if the task gives it as an example; a code such as "E100" may be the only one. */
function isSample(value = ""): boolean {
  return /\d.*[\s:,/]|[\s:,/].*\d/u.test(value);
}

/** Numbers alone, or a sample, in an entry of a table: names of codes are no such thing. */
function isInput(values: readonly string[]): boolean {
  return isSample(values[0]) || values.every((value) => /^-?[\d.]+$/u.test(value));
}

function isSetOfAnswers(matches: readonly Match[], isNamed: (value: string) => boolean): boolean {
  const known = new Set<string>();
  let [score, scoreMin] = [0, SCORE_MIN];
  for (const { values, isExact, replaces } of matches) {
    const fresh = values.filter((value) => !known.has(value));
    for (const value of fresh) known.add(value);
    const isSecret = replaces || isSample(values[0]) || !listWeighty(values).every(isNamed);
    const isAnswer = fresh.length > 0 && isExact && isSecret;
    if (isAnswer) scoreMin = ANSWER_SCORE_MIN;
    const part = isPeculiar(values) ? 1 : 1 / 2;
    score += fresh.reduce((sum, value) => sum + weighValue(value) * part * (isNamed(value) ? 1 / 2 : 1), 0);
    if (isAnswer) score += ANSWER_BONUS;
  }
  return score >= scoreMin;
}
