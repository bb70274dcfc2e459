/**
 * The tests that a source text declares, by language: what a runner would call by name, the groups around it, and where
 * each begins and ends. Roughly and in linear time, like the scan of the text.
 */
import type { ScannedSource } from "../../base/scan-source.ts";
import { isEnclosed, pairBrackets } from "../../base/pair-brackets.ts";
import type { Language } from "../../base/language.ts";
import { type Declaration, listByLayout, PYTHON_LAYOUT, RUBY_LAYOUT } from "./declared-by-layout.ts";

export interface DeclaredTest extends Declaration {
  /** The names of the groups and tests around it, outermost first. */
  readonly groups: readonly string[];
  /** The same in lines, from 1; both belong to it. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** In the order in which they begin; what is inside of another one comes after it. */
export function listDeclaredTests(source: ScannedSource, path: string): readonly DeclaredTest[] {
  const read = READERS.get(source.language);
  if (read === undefined) return [];
  const brackets = pairBrackets(source.code);
  const found = read({ source, brackets, extension: path.slice(path.lastIndexOf(".") + 1).toLowerCase() });
  return placeInGroups(source.text, found);
}

/** The innermost one around a place. */
export function findDeclaredTest(tests: readonly DeclaredTest[], at: number): DeclaredTest | null {
  return tests.findLast((test) => isEnclosed(test, at)) ?? null;
}

function placeInGroups(text: string, found: readonly Declaration[]): readonly DeclaredTest[] {
  const lineOf = countLines(text);
  const around: DeclaredTest[] = [];
  const placed: DeclaredTest[] = [];
  for (const one of found.toSorted((first, other) => first.start - other.start || other.end - first.end)) {
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= one.start) around.pop();
    const groups = around.map(({ name }) => name);
    const last = Math.max(one.start, one.end - 1);
    const test = { ...one, groups, firstLine: lineOf(one.start), lastLine: lineOf(last) };
    // Two patterns may find one declaration, with its attributes and without.
    if (around.at(-1)?.end === one.end && around.at(-1)?.name === one.name) continue;
    placed.push(test);
    around.push(test);
  }
  return placed;
}

function countLines(text: string): (at: number) => number {
  const starts = [0];
  for (let next = text.indexOf("\n"); next !== -1; next = text.indexOf("\n", next + 1)) starts.push(next + 1);
  return (at) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

interface Reading {
  readonly source: ScannedSource;
  readonly brackets: ReadonlyMap<number, number>;
  readonly extension: string;
}

type Reader = (reading: Reading) => readonly Declaration[];

/** Calls with a title: `it("adds", …)`. Modifiers may stand between: `test.each(TABLE)("adds", …)`. */
const SCRIPT_CALL =
  /(?<![\w$.])(?:(?:t|ctx|Deno|QUnit|test)\.)?[xf]?(?<word>it|test|describe|context|suite|specify|bench|group)(?:(?:[A-Z_]\w*)?(?:\??\.\w+)*)(?=\s*[(<`])/gu;
const GO_CALL =
  /(?<![\w.])(?:\w{1,12}\.(?<run>Run|Fuzz)|[FPX]?(?<word>It|Describe|DescribeTable|Context|When|Specify|Entry|Measure))(?=\()/gu;
const C_CALL =
  /(?<![\w$.>@])(?<word>it|test|testWidgets|group|describe|TEST_CASE|SCENARIO|SECTION|BOOST_AUTO_TEST_CASE|BENCHMARK|TEST(?:_[FP])?|TYPED_TEST(?:_P)?)(?=\s*\()/gu;
const RUST_CALL = /\b(?<word>\w+)!(?=\s*[({])/gu;
const TEST_MACROS = /test|^fuzz_target$/u;
const GROUP_WORDS = /^(?:describe|context|suite|group|Describe|DescribeTable|Context|When)$/u;
/** Macros have the body behind the parentheses. */
const BODY_BEHIND = /^(?:TEST|TYPED|BOOST|SCENARIO|SECTION)/u;

function listCalls(
  { source, brackets }: Reading,
  pattern: RegExp,
  isMeant: (word: string) => boolean = () => true,
): readonly Declaration[] {
  const { code, text } = source;
  return [...code.matchAll(pattern)].flatMap(({ index: start, groups, [0]: { length } }): readonly Declaration[] => {
    const word = groups?.["word"] ?? "";
    if (!isMeant(word) || /\b(?:function|func|fun|def|new|fn)\s+$/u.test(code.slice(Math.max(0, start - 12), start)))
      return [];
    const open = findArguments(code, start + length, brackets);
    const close = open === null ? undefined : brackets.get(open);
    if (open === null || close === undefined) return [];
    const name = readTitle(code, text, { open, close, hasTwo: BODY_BEHIND.test(word) });
    if (name === null) return [];
    const end = BODY_BEHIND.test(word) ? findBodyEnd(code, close, brackets) : close + 1;
    return [{ kind: nameKind(word), name, start, end }];
  });
}

function nameKind(word: string): DeclaredTest["kind"] {
  if (GROUP_WORDS.test(word)) return "group";
  if (/^(?:bench|BENCHMARK|Measure)/u.test(word)) return "benchmark";
  return word === "fuzz_target" ? "fuzz" : "test";
}

/** The parentheses with the title: behind those of modifiers, their types and their tables. */
function findArguments(code: string, from: number, brackets: ReadonlyMap<number, number>): number | null {
  let at = from;
  for (let step = 0; step < 6; step += 1) {
    const next = /\s*(?:<[^()\n]{1,200}>\s*)?(?:`[^`]*`\s*)?/uy;
    next.lastIndex = at;
    at += next.exec(code)?.[0].length ?? 0;
    const close = brackets.get(at);
    if (close === undefined) return null;
    if (!/^\s*(?:\(|\.\w+\s*\()/u.test(code.slice(close + 1, close + 60)) || isTitled(code, at)) return at;
    at = code.indexOf("(", close + 1);
  }
  return null;
}

function isTitled(code: string, open: number): boolean {
  return /^[({]\s*["'`]/u.test(code.slice(open, open + 80));
}

interface Arguments {
  readonly open: number;
  readonly close: number;
  /** Whether the name is made of two. */
  readonly hasTwo: boolean;
}

/** An object with its name, a function, or a text alone. */
const TITLES =
  /^\{[^]*?\bname:\s*["'`](?<key>[^"'`\n]+)|^(?:async\s+)?function\s*\*?\s*(?<callee>\w+)|^[a-z]*(?<sign>["'`])(?<title>[^]*)\k<sign>$/u;

/** Null if this is no declaration: it has neither a title nor something to call. */
function readTitle(code: string, text: string, { open, close, hasTwo }: Arguments): string | null {
  const inside = code.slice(open + 1, close);
  const comma = hasTwo ? inside.length : findComma(inside);
  const written = text.slice(open + 1, open + 1 + comma).trim();
  const named = readGroup(TITLES, written, ["key", "callee", "title"]);
  if (named !== null) return named;
  const isCalled = hasTwo || (comma < inside.length && !written.startsWith("{"));
  return isCalled && written !== "" ? written.replaceAll(/\s+/gu, " ") : null;
}

/** The first of these groups that is in the match. */
function readGroup(pattern: RegExp, text: string, names: readonly string[]): string | null {
  const groups = pattern.exec(text)?.groups ?? {};
  return names.map((name) => groups[name]).find((found) => found !== undefined) ?? null;
}

const TITLE_CHARS_MAX = 600;

/** The first one that is in no other brackets. */
function findComma(inside: string): number {
  let depth = 0;
  for (let at = 0; at < Math.min(inside.length, TITLE_CHARS_MAX); at += 1) {
    const sign = inside.charAt(at);
    if (sign === "," && depth === 0) return at;
    if ("([{".includes(sign)) depth += 1;
    if (")]}".includes(sign)) depth -= 1;
  }
  return inside.length;
}

const BODY_FAR = 4000;

/** Behind the block that follows, or behind the expression that stands for it. */
function findBodyEnd(code: string, from: number, brackets: ReadonlyMap<number, number>): number {
  for (let at = from; at < Math.min(code.length, from + BODY_FAR); at += 1) {
    const sign = code.charAt(at);
    if (sign === ";" || sign === "}") return at + 1;
    const close = "([{".includes(sign) ? brackets.get(at) : undefined;
    if (sign === "{") return (close ?? at) + 1;
    if (close !== undefined) at = close;
  }
  return Math.min(code.length, from + BODY_FAR);
}

/** Attributes of any language that has them in front of a declaration. */
const ATTRIBUTE = /(?:@(?!interface\b)[\w.:]+|#!?(?=\[)|(?=\[\w))/uy;
const FIRST_ATTRIBUTES = /^[ \t]*(?=@\w|#!?\[|\[[A-Za-z])/gmu;
const TEST_ATTRIBUTES =
  /[@[.:,\s](?:Test|TestMethod|DataTestMethod|TestCase(?:Source)?|Fact|Theory|Property|(?:\w+)?(?:Fact|Theory)|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|UiThreadTest|test|rstest|test_case|test_log|quickcheck|proptest|wasm_bindgen_test|\w+_test)(?![\w:])/u;
const BENCHMARK_ATTRIBUTES = /[@[.:\s](?:Benchmark|bench|divan::bench)(?!\w)/u;
const FUZZ_ATTRIBUTES = /[@[.:\s]FuzzTest(?!\w)/u;
const IS_GROUP = /\b(?:class|interface|object|struct|record|enum|trait|mod|impl|extension)\s+(?<name>[\w.]+)/u;
const HEADER_CHARS_MAX = 2000;

function listAttributed(reading: Reading): readonly Declaration[] {
  const found: Declaration[] = [];
  const { brackets } = reading;
  const { code } = reading.source;
  let last = 0;
  for (const { index, [0]: space } of code.matchAll(FIRST_ATTRIBUTES)) {
    const start = index + space.length;
    if (start < last) continue;
    last = skipAttributes(code, start, brackets);
    const declared = readDeclared(reading, last);
    if (declared === null) continue;
    const kind = declared.isGroup ? "group" : nameByAttributes(code.slice(start, last));
    if (kind !== null) found.push({ kind, name: declared.name, start, end: declared.end });
  }
  return found;
}

function nameByAttributes(attributes: string): DeclaredTest["kind"] | null {
  if (BENCHMARK_ATTRIBUTES.test(attributes)) return "benchmark";
  if (FUZZ_ATTRIBUTES.test(attributes)) return "fuzz";
  return TEST_ATTRIBUTES.test(attributes) ? "test" : null;
}

function skipAttributes(code: string, from: number, brackets: ReadonlyMap<number, number>): number {
  let at = from;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(code);
    if (match === null) return at;
    at += match[0].length;
    const close = brackets.get(at);
    if (close !== undefined) at = close + 1;
    else if (match[0] === "" || match[0].startsWith("#")) return at;
    at += /^\s*/u.exec(code.slice(at, at + HEADER_CHARS_MAX))?.[0].length ?? 0;
  }
}

type Declared = Pick<Declaration, "name" | "end"> & { readonly isGroup: boolean };

/** What stands before the parameters: a name, also a quoted one, and its types. */
const NAME_OF_FUNCTION =
  /(?:`(?<quoted>[^`\n]+)`|["'](?<title>[^"'\n]+)["']|(?<plain>[\w$]+))\s*(?:<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>)?$/u;

function readDeclared({ source, brackets }: Reading, at: number): Declared | null {
  const { code, text } = source;
  const header = /^[^;{}=]*/u.exec(code.slice(at, at + HEADER_CHARS_MAX))?.[0] ?? "";
  const group = readGroup(IS_GROUP, header.replace(/\([^]*$/u, ""), ["name"]);
  if (group !== null) return { name: group, isGroup: true, end: findBodyEnd(code, at, brackets) };
  const last = header.search(/[\w$`>"']\s*\(/u) + 1;
  const name = readGroup(NAME_OF_FUNCTION, text.slice(at, at + last), ["quoted", "title", "plain"]);
  if (name === null) return null;
  const close = brackets.get(code.indexOf("(", at + last)) ?? at + last;
  return { name, isGroup: false, end: findBodyEnd(code, close + 1, brackets) };
}

/** Declarations that are tests by their name alone, and what groups them. */
const NAMED_IN_C =
  /\b(?:function|func|fun|void|def)\s+(?:[\w.]+\.)?(?<name>test\w*|["'][^"'\n]*["'])\s*(?=\()|\b(?:class|struct|object|trait|extension)\s+(?<group>[A-Za-z_]\w*)(?=[^;(){}=]*(?:\([^(){}]*\)[^;(){}=]*)?\{)/gu;
const NAMED_IN_GO = /^func\s+(?:\([^()\n]*\)\s*)?(?<name>(?:Test|Benchmark|Fuzz|Example)(?:[^a-z\W]\w*)?)\s*(?=\()/gmu;
const NAMED_IN_RUST = /\bmod\s+(?<group>\w+)\s*(?=\{)|\bfn\s+(?<name>bench_\w+)\s*(?=[(<])/gu;
const NAMED_IN_SHELL =
  /^[ \t]*(?:@test[ \t]+(?:["'](?<title>[ ]*)["']|(?<bare>[^{\n]+?))[ \t]*(?=\{)|(?:function[ \t]+)?(?<name>test\w*)[ \t]*\(\)\s*(?=\{))/gmu;

function listNamed({ source: { code, text }, brackets }: Reading, pattern: RegExp): readonly Declaration[] {
  return [...code.matchAll(pattern)].map(({ index, groups = {}, [0]: match }) => {
    const end = findBodyEnd(code, index + match.length, brackets);
    const named = { start: index + match.search(/\S/u), end };
    const { group, name = groups["bare"] ?? "" } = groups;
    if (group !== undefined) return { kind: "group", name: group, ...named };
    const written = text.slice(index, index + match.length);
    const quoted = /(?<sign>["'])(?<name>[^\n]*)\k<sign>/u.exec(written)?.groups?.["name"];
    return { kind: kindOfName(name), name: quoted ?? name, ...named };
  });
}

function kindOfName(name: string): DeclaredTest["kind"] {
  if (/^(?:bench|Benchmark)/u.test(name)) return "benchmark";
  return name.startsWith("Fuzz") ? "fuzz" : "test";
}

/** A comment above makes a method a test. */
function listMarkedByComment({ source: { code, comments }, brackets, extension }: Reading): readonly Declaration[] {
  if (extension !== "php") return [];
  return [...comments.matchAll(/@test\b[^/]{0,400}\*\//gu)].flatMap(
    ({ index, [0]: { length } }): readonly Declaration[] => {
      const after = code.slice(index + length, index + length + 300);
      const name = /^\s*(?:(?:public|final|static)\s+)*function\s+(?<name>\w+)/u.exec(after)?.groups?.["name"];
      return name === undefined
        ? []
        : [{ kind: "test", name, start: index, end: findBodyEnd(code, index + length, brackets) }];
    },
  );
}

/** Macros that are named like tests, and those that are defined with the attribute of one. */
function listMacroCalls(reading: Reading): readonly Declaration[] {
  const { source, brackets } = reading;
  const defined = new Set<string>();
  for (const { index, groups, [0]: match } of source.code.matchAll(/\bmacro_rules!\s+(?<name>\w+)\s*(?=[({])/gu)) {
    const body = source.code.slice(index, brackets.get(index + match.length));
    if (/#\[(?:\w+::)?test\b/u.test(body)) defined.add(groups?.["name"] ?? "");
  }
  return listCalls(reading, RUST_CALL, (word) => TEST_MACROS.test(word) || defined.has(word));
}

const readScript: Reader = (reading) => listCalls(reading, SCRIPT_CALL);

const READERS: ReadonlyMap<Language, Reader> = new Map<Language, Reader>([
  ["js", readScript],
  ["ts", readScript],
  ["python", (reading) => listByLayout(reading.source, PYTHON_LAYOUT)],
  ["ruby", (reading) => listByLayout(reading.source, RUBY_LAYOUT)],
  ["go", (reading) => [...listNamed(reading, NAMED_IN_GO), ...listCalls(reading, GO_CALL)]],
  ["rust", (reading) => [...listAttributed(reading), ...listNamed(reading, NAMED_IN_RUST), ...listMacroCalls(reading)]],
  [
    "c",
    (reading) => [
      ...listAttributed(reading),
      ...listNamed(reading, NAMED_IN_C),
      ...listMarkedByComment(reading),
      ...listCalls(reading, C_CALL),
    ],
  ],
  ["shell", (reading) => listNamed(reading, NAMED_IN_SHELL)],
]);
