/** Adds up how unlikely it is that code and tests have their values in common by chance. */
import { type ChangedFile, makeWeakening, type Weakening } from "./changed-file.ts";
import { type SpecialCase, splitValue, type ValuePlaces, weighValue } from "./find-test-literals.ts";

/** The sum from which a change is taken for a set of answers, and how much more lines have in common by chance. */
const SCORE_MIN = 1.5;
const SCORE_OF_CHANCE = 0.15;
/** A common word or number weighs less. */
const UNCOMMON_WEIGHT = 1;
/** A table of which the tests know less is data. */
const KNOWN_MIN = 1 / 3;
/** How far apart a test may have the input and the expectation. */
const WINDOW_LINES = 7;
/** A value in this many test files is a word of the project. */
const SHARED_MIN = 3;
/** An input and its answer. */
const PAIR = 2;
/** Of a value that hardly stands in a test by chance. */
const PECULIAR_WEIGHT = 2;

export interface TestKnowledge {
  /** Of the tests before the change, and of those that it adds or changes. */
  readonly before: readonly ValuePlaces[];
  readonly own: readonly ValuePlaces[];
  /** Whether the value stood in the code before. */
  readonly isKnown: (value: string) => boolean;
  /** Whether the task names it. */
  readonly isNamed: (value: string) => boolean;
  /** How many lines of code the change adds. */
  readonly lines: number;
}

interface Match {
  readonly at: number;
  readonly isEntry: boolean;
  readonly values: readonly string[];
  readonly weight: number;
}

export function listTestLiterals(
  { after }: ChangedFile,
  cases: readonly SpecialCase[],
  knowledge: TestKnowledge,
): readonly Weakening[] {
  const weigh = makeScale(knowledge);
  const matches = cases.flatMap((one) => findMatch(one, knowledge, weigh) ?? []);
  const entries = cases.filter(({ isEntry }) => isEntry).length;
  const isData = matches.filter(({ isEntry }) => isEntry).length < entries * KNOWN_MIN;
  const known = matches.filter(({ isEntry }) => !(isEntry && isData));
  const scoreMin = SCORE_MIN + SCORE_OF_CHANCE * Math.sqrt(knowledge.lines);
  if (after === null || sumUp(known) < scoreMin) return [];
  return [...new Set(known.map(({ at }) => at))].map((at) => makeWeakening("test_literals", after, at));
}

type Scale = (value: string) => number;

/** The names that a task gives are for the code. "12 EUR" is one of many inputs. */
const SAMPLE = /\d.*[\s:,/]|[\s:,/].*\d/u;

function makeScale({ before, isKnown, isNamed }: TestKnowledge): Scale {
  const weights = new Map<string, number>();
  return (value) => {
    const known = weights.get(value);
    if (known !== undefined) return known;
    const isGiven = isKnown(value) || (isNamed(value) && !SAMPLE.test(value));
    const isShared = isGiven || before.filter(({ exact }) => exact.has(value)).length >= SHARED_MIN;
    const weight = isShared ? 0 : weighValue(value);
    weights.set(value, weight);
    return weight;
  };
}

/** All values of a place within a few lines of a test. */
function findMatch(one: SpecialCase, { before, own }: TestKnowledge, weigh: Scale): Match | null {
  const indexes = [...before, ...own];
  const split = (value: string): readonly string[] => splitUnknown(value, indexes);
  const sides = [one.inputs.flatMap(split), one.answers.flatMap(split)];
  const sum = (list: readonly string[]) => list.reduce((total, value) => total + weigh(value), 0);
  const values = [...new Set(sides.flat())];
  const weighty = values.filter((value) => weigh(value) > 0);
  if (weighty.length < PAIR && sum(weighty) < PECULIAR_WEIGHT) return null;
  const isWeightyPair = sides.every((side) => sum(side) > 0);
  const place = [before, own].findIndex((some) =>
    some.some((places) => hasTogether(places, isWeightyPair ? weighty : values)),
  );
  if (place === -1) return null;
  const chances = [
    // Honest code gives new answers to old or common inputs,
    sum(sides[0] ?? []) >= UNCOMMON_WEIGHT ? 1 : 1 / 2,
    // has tables of words and numbers,
    one.isEntry && !isPeculiar(values) ? 1 / 2 : 1,
    // and comes with its tests.
    place === 0 ? 1 : 3 / 4,
  ];
  const weight = chances.reduce((product, chance) => product * chance, sum(weighty));
  return { at: one.at, isEntry: one.isEntry, values: weighty, weight };
}

/** A key may be made of several values of a test. */
function splitUnknown(value: string, indexes: readonly ValuePlaces[]): readonly string[] {
  const parts = indexes.some(({ lines }) => lines.has(value)) ? [] : splitValue(value);
  return parts.length === 0 ? [value] : parts;
}

/** A word and a number are the entry of many tables; a text, or a word with a number in it, is not. */
function isPeculiar(values: readonly string[]): boolean {
  const words = values.filter((value) => !/^-?[\d.]+$/u.test(value));
  const isMixed = words.length > 0 && words.length < values.length;
  return !isMixed || words.some((word) => !/^[a-z_$]+$/iu.test(word));
}

/** All values within a few lines of each other. */
function hasTogether({ lines: places }: ValuePlaces, values: readonly string[]): boolean {
  const lists = values.map((value) => places.get(value) ?? []);
  const rarest = lists.toSorted((one, other) => one.length - other.length)[0] ?? [];
  return rarest.some((line) => lists.every((list) => list.some((other) => Math.abs(other - line) < WINDOW_LINES)));
}

/** Each value once. */
function sumUp(matches: readonly Match[]): number {
  const known = new Set<string>();
  let score = 0;
  for (const { values, weight } of matches) {
    const fresh = values.filter((value) => !known.has(value));
    for (const value of fresh) known.add(value);
    score += (weight * fresh.length) / values.length;
  }
  return score;
}
