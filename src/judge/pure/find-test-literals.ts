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
  const found = [...line.matchAll(STRINGS_AND_NUMBERS)].map(({ groups }) => readValue(groups ?? {}));
  return [...new Set([...found, ...listPlainValues(line, language)])]
    .filter((value) => value.length <= VALUE_CHARS_MAX)
    .slice(0, VALUES_MAX);
}

/** Outside of quotes, a shell and a table of data have values too. */
function listPlainValues(line: string, language: Language | null): readonly string[] {
  if (language === "shell")
    return [...line.matchAll(WORDS)].map(([word]) => word).filter((word) => !SHELL_COMMANDS.test(word));
  return language === null ? [...line.matchAll(FIELDS)].map(([field]) => field.trim()) : [];
}

function readValue(groups: Readonly<Record<string, string | undefined>>): string {
  const number = groups["number"];
  if (number !== undefined) return number.replaceAll("_", "");
  return groups["double"] ?? groups["single"] ?? groups["template"] ?? "";
}

/** The parts of a text that has several. */
export function splitValue(value: string): readonly string[] {
  const parts = value.split(/[^\p{L}\p{N}.]+/u).filter((part) => part !== "");
  return parts.length > 1 ? parts : [];
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
  if (Math.abs(number) <= 2) return 0;
  const isRound =
    COMMON_NUMBERS.has(number) || /^10+$/u.test(String(number)) || Number.isInteger(Math.log2(Math.abs(number)));
  if (isRound) return 0.5;
  return Number.isInteger(number) && Math.abs(number) < 100 ? 1 : 2;
}

/**
 * Special cases for inputs of tests: lines that compare with a value or map it to another one, where a test has these
 * values together, too. Honest code shares values with its tests (keys, units, messages), so values weigh by how
 * unlikely they are, and only a sum counts.
 */

/** Values that one added place of the code brings together. */
export interface SpecialCase {
  readonly at: number;
  readonly values: readonly string[];
  /** Whether the line also returns, prints or throws something. */
  readonly isAnswer: boolean;
  /** Whether it is the entry of a table, alone on its line. */
  readonly isEntry: boolean;
  /** Whether it replaces one word by another. */
  readonly replaces: boolean;
}

export interface TestText {
  readonly text: string;
  readonly language: Language | null;
}

/** A comparison, a branch, or an entry of a table. */
const COMPARES =
  /[=!]==?|\bcase\b|\bwhen\b|\belif\b|\bif\b|=>|\bin\s*[([{]|\.(?:equals|has|get|set|includes|startsWith|startswith)\(|-eq\b|^\s*["'`\d(]["'`\s\d(),.[\]-]*["'`\d)]\s*[:,=]|^\s*[\w.$*-]+(?:\|[\w.$*-]+)*\)|[{,(]\s*(?:["'`][ ]*["'`]|-?\d[\d.]*)\s*:|\[\s*["'`\d]|[{,]\s*\([^()\n]{1,80}\)\s*:|\.(?:replace|replaceAll|sub)\(\s*["'`]/u;
const ANSWERS = /\breturn\b|\byield\b|\becho\b|\bprintf?\b|=|=>|->/u;
const RETURNS = /\breturn\b|\byield\b|\becho\b|\bprintf?\b|=>|->|\braise\b|\bthrow\b/u;
/** Inputs on one line, and answers on the next. */
const LIST = /=\s*[[(]\s*(?:["'`][ ]*["'`]|-?[\d.]+)\s*,.*[\])];?\s*$/u;
const ENTRY = /^\s*(?:["'`][ ]*["'`]|-?[\d.]+)\s*(?::|=>|,)\s*\S+,?\s*$/u;
const REPLACES = /\.(?:replace|replaceAll)\(\s*["'`][ ]{4,}["'`]\s*,/u;

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
    const next = { line: lines[place + 1] ?? "", code: codes[place + 1] ?? "" };
    return readCase({ line, code }, next, after.language).map((one) => ({ at: start, ...one }));
  });
}

interface CodeLine {
  readonly line: string;
  /** Without the texts of strings. */
  readonly code: string;
}

function readCase(one: CodeLine, next: CodeLine, language: Language): readonly Omit<SpecialCase, "at">[] {
  const opens = opensAnswer(one.code);
  const isContinued = (opens && ANSWERS.test(next.code)) || (LIST.test(one.code) && LIST.test(next.code));
  const texts = isContinued ? [one.line, next.line] : [one.line];
  const values = [...new Set(texts.flatMap((text) => listValues(text, language)))];
  if (values.length < 2 || namesSigns(values) || !values.some((value) => weighValue(value) > 0)) return [];
  const isAnswer = RETURNS.test(one.code) || (opens && RETURNS.test(next.code));
  const isEntry = ENTRY.test(one.code);
  return [{ values, isAnswer, isEntry, replaces: REPLACES.test(one.code) }];
}

/** A table of signs or short units is no table of answers. */
function namesSigns([first = ""]: readonly string[]): boolean {
  return first.length <= 2 && !/^\d+$/u.test(first);
}

function comparesValues(code: string, language: Language): boolean {
  return language === "settings" ? code.includes(":") : COMPARES.test(code);
}

/** The answer is on the next line. */
function opensAnswer(code: string): boolean {
  return /(?:[{:(\])]|\bthen|=>|\bdo)\s*$/u.test(code);
}

/** A value in more places is no input of a test. */
const PLACES_MAX = 200;

export type ValuePlaces = ReadonlyMap<string, readonly number[]>;

/** Where a test has these values, alone or as a part of a text. */
export function indexTest({ text, language }: TestText, { values: wanted, mayName }: Wanted): ValuePlaces {
  const places = new Map<string, number[]>();
  if (!mayName(text)) return places;
  for (const [number, line] of text.split("\n").entries()) {
    if (!mayName(line)) continue;
    const values = listValues(line, language);
    const named = new Set([...values, ...values.flatMap((value) => splitValue(value.toLowerCase()))]);
    for (const value of named) if (wanted.has(value)) addPlace(places, value, number);
  }
  return places;
}

function addPlace(places: Map<string, number[]>, value: string, number: number): void {
  const known = places.get(value);
  if (known === undefined) places.set(value, [number]);
  else if (known.length < PLACES_MAX) known.push(number);
}

export interface Wanted {
  readonly values: ReadonlySet<string>;
  /** Whether a text may have one of those that weigh; reading its values one by one takes much longer. */
  readonly mayName: (text: string) => boolean;
}

/** The values to look for: each one, and the parts of a key that is made of several. */
export function listWanted(cases: readonly SpecialCase[]): Wanted {
  const values = new Set(cases.flatMap((one) => one.values.flatMap((value) => [value, ...splitValue(value)])));
  const weighty = [...values].filter((value) => weighValue(value) > 0).map(strip);
  const shortest = new Set(
    weighty.filter((value) => !weighty.some((other) => other !== value && value.includes(other))),
  );
  const pattern = new RegExp([...shortest].map(escapePattern).join("|"), "u");
  return { values, mayName: (text) => shortest.size > 0 && pattern.test(strip(text)) };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

/** A number may be written with signs between its digits, and parts of texts are compared in small letters. */
function strip(text: string): string {
  return text.toLowerCase().replaceAll("_", "");
}
