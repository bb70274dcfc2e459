/**
 * Separates code, comments and literals of a source text, roughly and in linear time. Each result has the length of
 * the text, with blanks in place of the other parts, so that a position means the same in all of them. Quotes stay in
 * the code.
 */
import type { Language } from "./language.ts";

export interface Literal {
  readonly at: number;
  /** As written, without quotes. */
  readonly text: string;
}

export interface ScannedSource {
  readonly text: string;
  readonly language: Language;
  readonly code: string;
  readonly comments: string;
  readonly literals: readonly Literal[];
}

const SLASH_COMMENTS = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
const HASH_COMMENTS = String.raw`(?<![^\s;(])#[^\n]*`;
const DOUBLE = String.raw`"[^"\\\n]*(?:\\[^][^"\\\n]*)*"?`;
const SINGLE = String.raw`'[^'\\\n]*(?:\\[^][^'\\\n]*)*'?`;
const CHARACTER = String.raw`'(?:[^'\\\n]|\\[^\n]{1,8}?)'`;
const RAW = "`[^`]*`?";
const DOUBLE_LINES = String.raw`"[^"\\]*(?:\\[^][^"\\]*)*"?`;
const TRIPLE_DOUBLE = String.raw`"""[^]*?(?:"""|$)`;
/** Texts in which a backslash is a sign like any other: of C#, and of Rust with as many hashes as it needs. */
const VERBATIM = String.raw`(?:@\$?|\$@)"[^"]*(?:""[^"]*)*"?`;
const RAW_HASHES = String.raw`\bb?r(?<hashes>#*)"[^]*?(?:"\k<hashes>|$)`;
/** Of PHP, Dart and Groovy; in the others it is one character. */
const QUOTED = String.raw`(?<!\w)'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*'`;
/** Bounded, because the end may be missing. */
const HEREDOC = String.raw`<<[~-]?(?<mark>["']?)(?<tag>[A-Z_]\w*)\k<mark>[^\n]*\n(?:[^\n]*\n){0,400}?[ \t]*\k<tag>\b`;
const TRIPLE = String.raw`${TRIPLE_DOUBLE}|'''[^]*?(?:'''|$)`;
/** Bounded, because a line can have many slashes. */
const EXPRESSION = String.raw`\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,400}\/[a-z]*`;

interface Syntax {
  readonly comment: string;
  readonly string: string;
}

const JS: Syntax = { comment: SLASH_COMMENTS, string: [DOUBLE, SINGLE].join("|") };
const SYNTAXES: readonly (readonly [Language, Syntax])[] = [
  ["js", JS],
  ["ts", JS],
  ["python", { comment: String.raw`#[^\n]*`, string: [TRIPLE, DOUBLE, SINGLE].join("|") }],
  ["go", { comment: SLASH_COMMENTS, string: [DOUBLE, RAW, CHARACTER].join("|") }],
  ["rust", { comment: SLASH_COMMENTS, string: [RAW_HASHES, DOUBLE_LINES, CHARACTER].join("|") }],
  ["c", { comment: SLASH_COMMENTS, string: [TRIPLE_DOUBLE, VERBATIM, DOUBLE, CHARACTER, QUOTED].join("|") }],
  ["ruby", { comment: HASH_COMMENTS, string: [HEREDOC, DOUBLE, SINGLE].join("|") }],
  ["shell", { comment: HASH_COMMENTS, string: [DOUBLE_LINES, "'[^']*'?"].join("|") }],
  // Plain words of YAML have apostrophes, so only comments are separated.
  ["settings", { comment: String.raw`${HASH_COMMENTS}|(?<!\S)(?:${SLASH_COMMENTS})`, string: "(?!)" }],
];

const TOKENS: ReadonlyMap<Language, RegExp> = new Map(
  SYNTAXES.map(([language, { comment, string }]) => [
    language,
    new RegExp(`(?<comment>${comment})|(?<string>${string})|(?<template>\`)|(?<brace>[{}])|(?<slash>/)`, "gu"),
  ]),
);

/** A comment, a string, a part of a template or a regular expression. */
interface Part {
  readonly kind: "comment" | "string";
  readonly start: number;
  readonly end: number;
}

export function scanSource(text: string, language: Language): ScannedSource {
  const parts = listParts(text, language);
  const literals = parts.flatMap(({ kind, start, end }) =>
    kind === "string" ? [{ at: start, text: stripQuotes(text.slice(start, end)) }] : [],
  );
  return { text, language, literals, ...splitText(text, parts) };
}

function splitText(text: string, parts: readonly Part[]): Pick<ScannedSource, "code" | "comments"> {
  const [code, comments]: [string[], string[]] = [[], []];
  let last = 0;
  for (const { kind, start, end } of parts) {
    const between = text.slice(last, start);
    const piece = text.slice(start, end);
    code.push(between, kind === "string" ? keepQuotes(piece) : blank(piece));
    comments.push(blank(between), kind === "comment" ? piece : blank(piece));
    last = end;
  }
  code.push(text.slice(last));
  comments.push(blank(text.slice(last)));
  return { code: code.join(""), comments: comments.join("") };
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]+/g, (line) => " ".repeat(line.length));
}

function keepQuotes(text: string): string {
  return text.length < 2 ? text : `${text.charAt(0)}${blank(text.slice(1, -1))}${text.charAt(text.length - 1)}`;
}

function stripQuotes(text: string): string {
  return /^(?:"""|'''|["'`/]|\})?([^]*?)(?:"""|'''|["'`]|\/[a-z]*|\$\{)?$/u.exec(text)?.[1] ?? text;
}

/** After one of these a slash begins an expression, and is no division. */
const BEFORE_EXPRESSION =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|new))$/u;

function listParts(text: string, language: Language): readonly Part[] {
  const tokens = new RegExp(TOKENS.get(language) ?? /(?!)/gu);
  const isScript = language === "js" || language === "ts";
  const parts: Part[] = [];
  // How many braces are open in each `${` of a template.
  const depths: number[] = [];
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const kind = nameToken(match);
    if (kind !== null) parts.push({ kind, start: match.index, end: tokens.lastIndex });
    else if (isScript) tokens.lastIndex = readScriptPart(text, match, parts, depths);
  }
  return parts;
}

function nameToken({ groups }: RegExpExecArray): Part["kind"] | null {
  if (groups?.["comment"] !== undefined) return "comment";
  return groups?.["string"] === undefined ? null : "string";
}

/** A slash, a brace or a template; the answer is where to go on. */
function readScriptPart(text: string, { index, 0: token }: RegExpExecArray, parts: Part[], depths: number[]): number {
  if (token === "/") return readExpression(text, index, parts);
  if (token !== "`" && !closesTemplate(depths, token)) return index + 1;
  const end = findTemplateEnd(text, index + 1);
  if (text.charAt(end - 1) === "{") depths.push(0);
  parts.push({ kind: "string", start: index, end });
  return end;
}

/** Counts braces; true if this one ends the code inside a template. */
function closesTemplate(depths: number[], brace: string): boolean {
  const open = depths.at(-1);
  if (open === undefined) return false;
  if (brace === "}" && open === 0) {
    depths.pop();
    return true;
  }
  depths[depths.length - 1] = open + (brace === "{" ? 1 : -1);
  return false;
}

function findTemplateEnd(text: string, from: number): number {
  const ends = /\\[^]|`|\$\{/gu;
  ends.lastIndex = from;
  for (let match = ends.exec(text); match !== null; match = ends.exec(text))
    if (!match[0].startsWith("\\")) return match.index + match[0].length;
  return text.length;
}

/** How far a regular expression may be looked for. */
const LOOK_BACK = 20;

function readExpression(text: string, at: number, parts: Part[]): number {
  const before = text.slice(Math.max(0, at - LOOK_BACK), at).trimEnd();
  const expression = new RegExp(EXPRESSION, "uy");
  expression.lastIndex = at;
  const match = BEFORE_EXPRESSION.test(before) ? expression.exec(text) : null;
  if (match === null) return at + 1;
  parts.push({ kind: "string", start: at, end: at + match[0].length });
  return at + match[0].length;
}
