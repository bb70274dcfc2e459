/**
 * The settings of a program, and of JSON in any of its dialects, which is a literal of one: every literal with the keys
 * that stand before it (`key: …`, `key = …`, `key(…)`, `key {…}`). Conditions are not decided: each of their values counts, and a
 * name stands for the literal that the file gives to it.
 */
import type { Language } from "../../base/language.ts";
import { scanSource } from "../../base/scan-source.ts";
import { LEAVES_DEPTH_MAX, LEAVES_MAX, nameKey, type ReadSettings, type Setting } from "./settings-leaves.ts";

const TOKEN = /[\w$@-][\w$@.-]*%?|\?\.|\?\?|::|[=!]==?|[<>]=|=>|[{}[\](),;:=?]|["'`]/gu;
const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };

interface Frame {
  readonly closing: string;
  readonly keys: readonly string[];
  readonly at: number;
  key: string | null;
  /** Conditions whose `:` is still to come. */
  questions: number;
  isEmpty: boolean;
}

interface NamedValue extends Setting {
  /** It stands in place of the value. */
  readonly name: string | null;
}

interface Reading {
  readonly code: string;
  readonly tokens: RegExp;
  readonly frames: Frame[];
  readonly found: NamedValue[];
  isBroken: boolean;
}

/** Where every bracket must have its partner, a text in which one has none cannot be read. */
export function makeLiteralReader(language: Language, isStrict: boolean): ReadSettings {
  return (text) => {
    const { code, literals } = scanSource(text, language);
    const strings = new Map(literals.map(({ at, text: own }) => [at, own]));
    const reading: Reading = {
      code,
      tokens: new RegExp(TOKEN),
      frames: [openFrame("", [], 0)],
      found: [],
      isBroken: false,
    };
    for (let match = reading.tokens.exec(code); match !== null; match = reading.tokens.exec(code)) {
      readToken(reading, match[0], { at: match.index, string: strings.get(match.index) ?? null });
      if (reading.frames.length > LEAVES_DEPTH_MAX || reading.found.length > LEAVES_MAX) return null;
    }
    if (isStrict && (reading.isBroken || reading.frames.length > 1 || /^[^{[]/u.test(code.trim()))) return null;
    return resolveNames(reading.found);
  };
}

function openFrame(closing: string, keys: readonly string[], at: number): Frame {
  return { closing, keys, at, key: null, questions: 0, isEmpty: true };
}

interface TokenPlace {
  readonly at: number;
  /** The content, if a string begins here. */
  readonly string: string | null;
}

function readToken(reading: Reading, token: string, { at, string }: TokenPlace): void {
  const frame = readFrame(reading);
  const closing = CLOSING[token];
  if (string !== null || /^["'`\w$@-]/u.test(token)) readWord(reading, frame, { token, at, string });
  else if (closing !== undefined) {
    frame.isEmpty = false;
    reading.frames.push(openFrame(closing, listKeys(frame), at));
  } else if (/^[}\])]$/u.test(token)) closeFrame(reading, token);
  else if (token === "," || token === ";") frame.key = null;
  else frame.questions += token === "?" ? 1 : token === ":" && frame.questions > 0 ? -1 : 0;
}

function listKeys({ keys, key }: Frame): readonly string[] {
  return key === null ? keys : [...keys, key];
}

function readFrame({ frames }: Reading): Frame {
  return frames.at(-1) ?? openFrame("", [], 0);
}

function closeFrame(reading: Reading, token: string): void {
  const frame = readFrame(reading);
  if (frame.closing !== token) {
    reading.isBroken = true;
    return;
  }
  reading.frames.pop();
  if (token === "}") readFrame(reading).key = null;
  if (frame.isEmpty && token !== ")") reading.found.push({ keys: frame.keys, value: null, name: null, at: frame.at });
}

interface Word extends TokenPlace {
  readonly token: string;
}

function readWord(reading: Reading, frame: Frame, { token, at, string }: Word): void {
  frame.isEmpty = false;
  const end = string === null ? at + token.length : findStringEnd(reading.code, at);
  reading.tokens.lastIndex = end;
  const [next, following] = readNext(reading.code, end);
  const name = string === null ? nameMember(token) : decodeEscapes(string);
  if (isKeyMark(next, following, frame)) {
    frame.key = name;
    reading.tokens.lastIndex = reading.code.indexOf(next, end) + 1;
  } else if (string !== null) reading.found.push({ keys: listKeys(frame), at, value: name, name: null });
  else if (next === "(" || next === "{") frame.key ??= name;
  else reading.found.push({ keys: listKeys(frame), at, ...readValue(token) });
}

/** Of `a.b.c`, the `c`. */
function nameMember(word: string): string {
  return word.slice(word.lastIndexOf(".") + 1);
}

/** Quotes stay in the code, and blanks are between them. */
function findStringEnd(code: string, at: number): number {
  const end = code.slice(at + 1).search(/\S/u);
  return end === -1 ? code.length : at + end + 2;
}

function readNext(code: string, end: number): readonly [string, string] {
  let at = end;
  while (/\s/u.test(code.charAt(at))) at += 1;
  return [code.charAt(at), code.charAt(at + 1)];
}

function isKeyMark(next: string, following: string, { closing, questions }: Frame): boolean {
  if (next === ":") return following !== ":" && questions === 0 && closing === "}";
  return next === "=" && !/[=>~]/u.test(following);
}

function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["nil", null],
]);

function readValue(word: string): Pick<NamedValue, "value" | "name"> {
  const constant = CONSTANTS.get(word);
  if (constant !== undefined) return { value: constant, name: null };
  if (/^-?\d/u.test(word)) return { value: readNumeral(word) ?? word, name: null };
  return { value: word, name: word };
}

export function readNumeral(text: string): number | null {
  const digits = text.replaceAll(/(?<=\d)_(?=\d)|%$/gu, "");
  return /^-?\d+(?:\.\d+)?$/u.test(digits) ? Number(digits) : null;
}

/** A name without a value here says nothing. */
function resolveNames(found: readonly NamedValue[]): readonly Setting[] {
  const known = new Map(found.flatMap(({ keys, value, name }) => (name === null ? [[nameKey({ keys }), value]] : [])));
  return found.flatMap(({ keys, value, at, name }) => {
    if (name === null) return [{ keys, value, at }];
    const own = known.get(name);
    return own === undefined ? [] : [{ keys, value: own, at }];
  });
}
