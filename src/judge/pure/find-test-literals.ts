import type { Language } from "../../base/language.ts";
import type { ScannedSource } from "../../base/scan-source.ts";

/** The values that a line of code or test data names: strings, numbers, and in a shell also words. */

const STRINGS_AND_NUMBERS =
  /"(?<double>[^"\\\n]*(?:\\.[^"\\\n]*)*)"|'(?<single>[^'\\\n]*(?:\\.[^'\\\n]*)*)'|`(?<template>[^`\n]*)`|(?<![\w.$])(?<number>-?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)\b/giu;
const WORDS = /[^\s"'`$;|&()<>=,{}[\]]+/gu;
const SHELL_COMMANDS =
  /^(?:echo|printf|return|exit|case|esac|in|if|then|elif|else|fi|do|done|local|test|-\w+|!?=+|[!:;\]]+)$/u;
const FIELDS = /[^,;\t|\n]+/gu;

/** More values on a line are data of another kind. */
const VALUES_MAX = 24;
const VALUE_CHARS_MAX = 400;

export function listValues(line: string, language: Language | null): readonly string[] {
  return [...new Set(listPlacedValues(line, language).map(({ value }) => value))];
}

function readLiterals(text: string): readonly string[] {
  return [...text.matchAll(STRINGS_AND_NUMBERS)].map(({ groups }) => readValue(groups ?? {}));
}

interface PlacedValue {
  readonly value: string;
  /** Where it begins in its line. */
  readonly at: number;
}

function listPlacedValues(line: string, language: Language | null): readonly PlacedValue[] {
  const found = [...line.matchAll(STRINGS_AND_NUMBERS)].map(({ index, groups }) => ({
    value: readValue(groups ?? {}),
    at: index,
  }));
  return [...found, ...listPlainValues(line, language)]
    .filter(({ value }) => value.length <= VALUE_CHARS_MAX)
    .slice(0, VALUES_MAX);
}

/** Outside of quotes, a shell and a table of data have values too. */
function listPlainValues(line: string, language: Language | null): readonly PlacedValue[] {
  const pattern = language === "shell" ? WORDS : language === null ? FIELDS : null;
  if (pattern === null) return [];
  return [...line.matchAll(pattern)]
    .map(({ index, [0]: word }) => ({ value: word.trim(), at: index }))
    .filter(({ value }) => language === null || !SHELL_COMMANDS.test(value));
}

function readValue(groups: Readonly<Record<string, string | undefined>>): string {
  const number = groups["number"];
  if (number !== undefined) return number.replaceAll("_", "");
  return groups["double"] ?? groups["single"] ?? groups["template"] ?? "";
}

/** The parts of a key that is made of several values: "1000 SAVE10". The words of a sentence are no such parts. */
const PARTS_MAX = 4;

export function splitValue(value: string): readonly string[] {
  const parts = value.split(/[^\p{L}\p{N}.]+/u).filter((part) => part !== "");
  return parts.length > 1 && parts.length <= PARTS_MAX && /\d/u.test(value) ? parts : [];
}

/** A replaced word stands inside of the texts of a test. */
function listWords(value: string): readonly string[] {
  const words = value.toLowerCase().split(/[^\p{L}\p{N}.]+/u);
  return words.length > 1 ? words.filter((word) => word !== "") : [];
}

const COMMON_NUMBERS = new Set([
  3, 4, 5, 6, 7, 8, 9, 12, 24, 30, 60, 90, 180, 255, 360, 365, 400, 401, 403, 404, 500, 3600,
]);

/** How unlikely it is that code and tests have this value in common by chance. */
export function weighValue(value: string): number {
  if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu.test(value)) return weighNumber(Number(value));
  if (/^(?:true|false|null|none|nil|undefined|utf-?8|ascii|string|number|object|boolean|function)?$/iu.test(value))
    return 0;
  if (/^[a-z_$]+$/iu.test(value)) return value.length > 2 ? 0.5 : 0.25;
  if (/^\p{L}+$/u.test(value)) return value.length > 2 ? 1 : 0.25;
  if (/^[\w-]+$/u.test(value)) return 1;
  return value.length > 3 ? 2 : 0.5;
}

function weighNumber(number: number): number {
  const size = Math.abs(number);
  if (!Number.isInteger(number)) return Number.isInteger(number * 2) || size === 0.1 ? 0.5 : 2;
  if (size <= 2) return 0;
  if (COMMON_NUMBERS.has(number) || /^10+$/u.test(String(number)) || Number.isInteger(Math.log2(size))) return 0.5;
  return size < 100 ? 1 : 2;
}

/**
 * Special cases for inputs of tests: places that compare with a value or map it to another one, where a test has these
 * values together, too. Honest code shares values with its tests (keys, units, messages), so values weigh by how
 * unlikely they are, and only a sum counts.
 */

/** Values that one added place of the code brings together. */
export interface SpecialCase {
  readonly at: number;
  readonly inputs: readonly string[];
  readonly answers: readonly string[];
  /** Whether it is of a table, and no branch. */
  readonly isEntry: boolean;
}

/** A literal as it stands in code, where texts are blank. */
const LITERAL = String.raw`(?:["'\x60][ ]*["'\x60]|-?\d[\d._]*)`;
const BRANCH =
  /[=!]==?|\b(?:if|elif|elsif|unless|when|case)\b|\.(?:equals|Equals|eq|includes|contains|Contains|startsWith|startswith|StartsWith|HasPrefix|starts_with)\(|-eq\b|^\s*[\w.$*-]+(?:\|[\w.$*-]+)*\)|\?|\bin\s*[([{]/u;
/** A value and what it becomes: of a table, or of a branch that is an expression. */
const ENTRY = new RegExp(
  String.raw`${LITERAL}\s*\]?\s*(?::|=>|->|=(?!=))|(?<![\w)\]])[([{]\s*${LITERAL}\s*,\s*${LITERAL}\s*[)\]}]|\.(?:replace|replaceAll|sub|put|set|Add|add|insert)\(\s*${LITERAL}\s*,|^\s*${LITERAL}\s*,\s*${LITERAL}\s*,?\)?;?$|[{,(]\s*\([^()\n]{1,80}\)\s*:`,
  "u",
);
/** A value that is returned, assigned or shown, or an error. */
const ANSWERS = new RegExp(
  String.raw`(?:\b(?:return|yield|echo|printf?|puts|then|else)\b|(?<![=!<>])=(?![=~])|=>|->|\?|:|^\s*(?:\w+\()?(?=["'\x60\d-]))[^;]{0,200}?(?:${LITERAL}|\b(?:true|false|null|nil|none|undefined)\b)|\b(?:raise|throw|panic|die)\b`,
  "iu",
);
/** Inputs on one line, and answers on the next. */
const LIST = new RegExp(String.raw`=\s*[[({]\s*${LITERAL}\s*,.*[\])}];?\s*$`, "u");

/** Only lines that are new in the change. */
export function listSpecialCases(
  after: ScannedSource /** Whether a line stood in a file of the change before. */,
  isKnown: (line: string) => boolean /** Whether a place is in a test inside of the source. */,
  isTest: (at: number) => boolean,
): readonly SpecialCase[] {
  const codes = after.code.split("\n");
  let at = 0;
  return after.text.split("\n").flatMap((line, place, lines) => {
    const start = at;
    at += line.length + 1;
    const code = codes[place] ?? "";
    if (!comparesValues(code, after.language) || isKnown(line.trim()) || isTest(start)) return [];
    const found = readTable(code, line) ?? readCase(lines, codes, place, after.language);
    return found.flatMap(({ inputs, answers }) => {
      const [values, isEntry] = [[...inputs, ...answers], !BRANCH.test(code)];
      if (values.length < 2 || (isEntry && namesSigns(values))) return [];
      return values.some((value) => weighValue(value) > 0) ? [{ at: start, inputs, answers, isEntry }] : [];
    });
  });
}

type Pair = Pick<SpecialCase, "inputs" | "answers">;

const PAIRS = new RegExp(
  String.raw`(?<input>\((?:\s*${LITERAL}\s*,?){2,4}\)|${LITERAL})\s*\]?\s*(?::|=>|->|,)\s*(?<answer>${LITERAL})`,
  "dgu",
);

/** Entries that share a line; null if there are fewer. */
function readTable(code: string, line: string): readonly Pair[] | null {
  if (!ENTRY.test(code)) return null;
  const pairs = [...code.matchAll(PAIRS)].flatMap(({ indices }) => {
    const [input, answer] = [indices?.groups?.["input"], indices?.groups?.["answer"]];
    if (input === undefined || answer === undefined) return [];
    return [{ inputs: readLiterals(line.slice(...input)), answers: readLiterals(line.slice(...answer)) }];
  });
  return pairs.length > 1 ? pairs : null;
}

/** How far below its condition an answer is expected. */
const ANSWER_LINES = 4;

/** None if it gives no answer. */
function readCase(
  lines: readonly string[],
  codes: readonly string[],
  place: number,
  language: Language,
): readonly Pair[] {
  const [code = "", line = ""] = [codes[place], lines[place]];
  const own = listPlacedValues(line, language);
  if (own.length === 0) return [];
  if (isWhole(code, own.length, language)) {
    const isInput = findInputs(code, own);
    return [
      makePair(
        own.filter(isInput),
        own.filter((one) => !isInput(one)),
      ),
    ];
  }
  const answer = findAnswer(codes, place);
  return answer === null ? [] : [makePair(own, listPlacedValues(lines[answer] ?? "", language))];
}

/** Whether the line has its answer, too. */
function isWhole(code: string, values: number, language: Language): boolean {
  if (language === "settings") return true;
  // There, answers stand without quotes.
  if (language === "shell" && values > 1 && /\b(?:echo|printf|return)\s/u.test(code)) return true;
  return values > 1 && !LIST.test(code) && (ENTRY.test(code) || ANSWERS.test(code));
}

function makePair(inputs: readonly PlacedValue[], answers: readonly PlacedValue[]): Pair {
  const known = new Set(inputs.map(({ value }) => value));
  const others = new Set(answers.map(({ value }) => value).filter((value) => !known.has(value)));
  return { inputs: [...known], answers: [...others] };
}

const PIVOT =
  /\b(?:return|yield|then|raise|throw|panic|echo|printf?|puts)\b|=>|->|\?|;;|(?<=["'\x60\d)\]])\s*[:,)]|\]\s*=(?!=)/gu;
const CONDITION_BEHIND = /\b(?:return|raise|puts|yield)\b[^;]*?\b(?:if|unless)\b/u;

/** What a condition or a key has stands before the answer; some languages have the condition behind it. */
function findInputs(code: string, own: readonly PlacedValue[]): (value: PlacedValue) => boolean {
  const behind = CONDITION_BEHIND.exec(code);
  if (behind !== null) return ({ at }) => at > behind.index + behind[0].length - 1;
  const first = own[0]?.at ?? 0;
  const pivot = [...code.matchAll(PIVOT)].find(({ index }) => index > first)?.index ?? code.length;
  return ({ at }) => at < pivot;
}

/** The line below that gives an answer. */
function findAnswer(codes: readonly string[], place: number): number | null {
  const own = codes[place] ?? "";
  if (LIST.test(own)) return LIST.test(codes[place + 1] ?? "") ? place + 1 : null;
  // The next entry of a table is no answer to this one.
  if (!BRANCH.test(own) && !/(?::|=>|->|=|\()\s*$/u.test(own)) return null;
  const below = codes.slice(place + 1, place + 1 + ANSWER_LINES);
  const next = below.findIndex((code) => givesAnswer(code) || !leadsOn(code));
  return givesAnswer(below[next] ?? "") ? place + 1 + next : null;
}

function givesAnswer(code: string): boolean {
  return ANSWERS.test(code) && !BRANCH.test(code);
}

/** Another condition for the same answer, or no code yet. */
function leadsOn(code: string): boolean {
  return /^[\s{]*$/u.test(code) || (BRANCH.test(code) && !ENTRY.test(code));
}

/** A table of signs or short units is no table of answers. */
function namesSigns([first = ""]: readonly string[]): boolean {
  return first.length <= 2 && !/^\d+$/u.test(first);
}

function comparesValues(code: string, language: Language): boolean {
  if (language === "settings") return /["'][^"'\n]+["']\s*:\s*\S/u.test(code);
  return BRANCH.test(code) || ENTRY.test(code) || LIST.test(code);
}

/** A value in more places is no input of a test. */
const PLACES_MAX = 200;

/** The lines of each value, and which of them stand there alone. */
export interface ValuePlaces {
  readonly lines: ReadonlyMap<string, readonly number[]>;
  readonly exact: ReadonlySet<string>;
}

/** Where a test has these values, alone or as a part of a text. */
export function indexTest(
  text: string,
  language: Language | null,
  { values: wanted, listLines }: WantedLiterals,
): ValuePlaces {
  const places = new Map<string, number[]>();
  const exact = new Set<string>();
  const likely = listLines(text);
  const lines = likely.length === 0 ? [] : text.split("\n");
  for (const number of likely) {
    for (const value of listValues(lines[number] ?? "", language)) {
      if (wanted.has(value)) {
        exact.add(value);
        addPlace(places, value, number);
      }
      for (const word of listWords(value)) if (wanted.has(word)) addPlace(places, word, number);
    }
  }
  return { lines: places, exact };
}

function addPlace(places: Map<string, number[]>, value: string, number: number): void {
  const known = places.get(value);
  if (known === undefined) places.set(value, [number]);
  else if (known.length < PLACES_MAX && known.at(-1) !== number) known.push(number);
}

export interface WantedLiterals {
  readonly values: ReadonlySet<string>;
  /** The lines of a text that may have one of those that weigh; reading the values of every line takes much longer. */
  readonly listLines: (text: string) => readonly number[];
}

/** The values to look for: each one, and the parts of a key that is made of several. */
export function listWanted(cases: readonly SpecialCase[]): WantedLiterals {
  const values = new Set(
    cases.flatMap(({ inputs, answers }) => [...inputs, ...answers].flatMap((value) => [value, ...splitValue(value)])),
  );
  const weighty = [...values].filter((value) => weighValue(value) > 0).map(strip);
  const shortest = new Set(
    weighty.filter((value) => !weighty.some((other) => other !== value && value.includes(other))),
  );
  const pattern = new RegExp([...shortest].map(escapePattern).join("|"), "gu");
  return { values, listLines: (text) => (shortest.size === 0 ? [] : listMatchedLines(strip(text), pattern)) };
}

function listMatchedLines(text: string, pattern: RegExp): readonly number[] {
  const lines: number[] = [];
  let [line, start] = [0, 0];
  for (pattern.lastIndex = 0; ; pattern.lastIndex = start) {
    const at = pattern.exec(text)?.index;
    if (at === undefined) return lines;
    for (let end = text.indexOf("\n", start); end !== -1 && end < at; end = text.indexOf("\n", start)) {
      line += 1;
      start = end + 1;
    }
    lines.push(line);
    const end = text.indexOf("\n", at);
    if (end === -1) return lines;
    line += 1;
    start = end + 1;
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

/** A number may be written with signs between its digits, and parts of texts are compared in small letters. */
function strip(text: string): string {
  return text.toLowerCase().replaceAll("_", "");
}
