/** The values that a line of code or test data names: strings, numbers, and in a shell also words. */
import type { Language } from "../../base/language.ts";

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
