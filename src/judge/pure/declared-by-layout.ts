/** Tests of languages whose blocks are seen by their indentation. */
import type { ScannedSource } from "../../base/scan-source.ts";

export interface Declaration {
  readonly kind: "test" | "benchmark" | "fuzz" | "group";
  /** Its title, or the name of its function. */
  readonly name: string;
  /** Where it begins, with its attributes, and where it has ended. */
  readonly start: number;
  readonly end: number;
}

interface Layout {
  readonly head: RegExp;
  /** The line that ends a block and still belongs to it. */
  readonly foot: RegExp | null;
  readonly nameOf: (
    line: string,
    groups: Readonly<Record<string, string | undefined>>,
  ) => Pick<Declaration, "kind" | "name"> | null;
}

export const PYTHON_LAYOUT: Layout = {
  head: /^[ \t]*(?:(?<attribute>@)|(?:async[ \t]+)?def[ \t]+(?<def>\w+)|class[ \t]+(?<group>\w+))/u,
  foot: null,
  nameOf: (_, { def, group }) => {
    if (group !== undefined) return { kind: "group", name: group };
    if (def === undefined) return null;
    if (def.startsWith("test")) return { kind: "test", name: def };
    return /^(?:bench|benchmark)_/u.test(def) ? { kind: "benchmark", name: def } : null;
  },
};

export const RUBY_LAYOUT: Layout = {
  head: /^[ \t]*(?:(?:RSpec\.)?[xf]?(?<word>it|describe|context|specify|test|scenario|feature|example|its|shared_examples(?:_for)?|shared_context)\b(?=[ (]|$)[^\n]*(?:\bdo\b(?:[ ]*\|[^|\n]*\|)?|\{)[ ]*[^\n]*$|def[ \t]+(?<def>test_\w+)|class[ \t]+(?<group>[\w:]+))/u,
  foot: /^[ \t]*(?:end\b|\})/u,
  nameOf: (line, { word, def, group }) => {
    const name = group ?? def;
    if (name !== undefined) return { kind: group === undefined ? "test" : "group", name };
    const isGroup = word !== undefined && /^(?:describe|context|feature|shared)/u.test(word);
    return { kind: isGroup ? "group" : "test", name: readRubyTitle(line) };
  },
};

function readRubyTitle(line: string): string {
  const rest = line.replace(/^[ \t]*[\w.]+[ (]*/u, "");
  const quoted = /^(?<sign>["'])(?<title>[^]*?)(?<!\\)\k<sign>/u.exec(rest)?.groups?.["title"];
  // One without a title is named by what it does.
  return quoted ?? (rest.replace(/[, )]*(?:\bdo\b|\{)[^]*$/u, "").trim() || rest.replace(/^\{\s*|\s*\}\s*$/gu, ""));
}

interface CodeLine {
  readonly code: string;
  readonly start: number;
  readonly end: number;
  readonly indent: number;
}

export function listByLayout(source: ScannedSource, { head, foot, nameOf }: Layout): readonly Declaration[] {
  const lines = listCodeLines(source);
  return lines.flatMap((line, place) => {
    const groups = head.exec(line.code)?.groups;
    const named = groups === undefined ? null : nameOf(source.text.slice(line.start, line.end), groups);
    if (named === null) return [];
    return [{ ...named, start: findStart(lines, place), end: findEnd(lines, place, foot) }];
  });
}

/** Without empty lines, comments, and lines in the middle of a text. */
function listCodeLines({ text, code, literals }: ScannedSource): readonly CodeLine[] {
  const inner = listInnerLines(text, literals);
  let at = 0;
  return code.split("\n").flatMap((line) => {
    const start = at;
    at += line.length + 1;
    const indent = line.search(/\S/u);
    return indent === -1 || inner.has(start) ? [] : [{ code: line, start, end: start + line.length, indent }];
  });
}

const ATTRIBUTE_LINES_MAX = 300;
/** What began above goes on. */
const CLOSES = /^\s*[)\]}]/u;

/** The first of the attributes above, each of which may have several lines. */
function findStart(lines: readonly CodeLine[], place: number): number {
  const { start, indent } = lines[place] ?? NO_LINE;
  const above = lines.slice(Math.max(0, place - ATTRIBUTE_LINES_MAX), place).toReversed();
  const isAttribute = (line: CodeLine): boolean => line.indent === indent && line.code.charAt(indent) === "@";
  const isPart = (line: CodeLine): boolean => line.indent > indent || isAttribute(line) || CLOSES.test(line.code);
  const other = above.findIndex((line) => !isPart(line));
  const first = above.slice(0, other === -1 ? above.length : other).findLast(isAttribute);
  return (first?.start ?? start) + indent;
}

const NO_LINE: CodeLine = { code: "", start: 0, end: 0, indent: 0 };

function findEnd(lines: readonly CodeLine[], place: number, foot: RegExp | null): number {
  const own = lines[place] ?? NO_LINE;
  const isFoot = ({ code, indent }: CodeLine): boolean => indent === own.indent && foot?.test(code) === true;
  const isPart = ({ code, indent }: CodeLine): boolean => indent > own.indent || CLOSES.test(code);
  let last = own;
  for (let next = place + 1; ; next += 1) {
    const line = lines[next];
    if (line === undefined || (!isFoot(line) && !isPart(line))) return last.end;
    if (isFoot(line)) return line.end;
    last = line;
  }
}

/** Where lines begin that are in the middle of a text. */
function listInnerLines(text: string, literals: ScannedSource["literals"]): ReadonlySet<number> {
  const inner = new Set<number>();
  for (const { at, text: own } of literals) {
    if (!own.includes("\n")) continue;
    const from = text.indexOf(own, at);
    for (let next = own.indexOf("\n"); next !== -1; next = own.indexOf("\n", next + 1)) inner.add(from + next + 1);
  }
  return inner;
}
