/** The assertions of a test, by the words that the usual libraries have for them: what each says, and whether it can fail. */
import type { ScannedSource } from "../../base/scan-source.ts";
import type { Language } from "../../base/language.ts";

/* Assertions that fail without a sound: in a branch that is never taken, or inside of a `try` whose handler goes on. */

interface TestBody {
  readonly source: ScannedSource;
  readonly brackets: ReadonlyMap<number, number>;
  readonly start: number;
  readonly end: number;
}

const NEVER = /^(?:\}\s*)?(?:el(?:se\s+)?)?(?:if|while)\s*\(?\s*(?:false|False|0|nil|None|null)\s*\)?\s*:?$/u;

function isUnreached(body: TestBody, at: number): boolean {
  return listHeaders(body, at).some((header) => NEVER.test(header.text)) || isBehindReturn(body, at);
}

/** A line that returns, with the indentation of what follows it. */
function isBehindReturn({ source: { code, text }, start }: TestBody, at: number): boolean {
  const lines = code.slice(start, at).split("\n");
  const indent = (lines.pop() ?? "").search(/\S|$/u);
  if (text.slice(at - indent, at).trim() !== "") return false;
  for (const line of lines.slice(1).toReversed()) {
    const own = line.search(/\S/u);
    if (own === -1 || own > indent) continue;
    if (own < indent) return false;
    if (/^\s*return\b\s*(?:;|true;?|True|None|nil)?\s*$/u.test(line)) return true;
  }
  return false;
}

interface Header {
  readonly text: string;
  readonly indent: number;
  /** Where its block begins. */
  readonly open: number;
}

/** The first lines of the blocks around a place, the innermost first. */
function listHeaders(body: TestBody, at: number): readonly Header[] {
  const { language } = body.source;
  return language === "python" || language === "ruby" ? listLessIndented(body, at) : listOpenBraces(body, at);
}

function listLessIndented({ source: { code }, start }: TestBody, at: number): readonly Header[] {
  const lines = code.slice(start, at).split("\n");
  const headers: Header[] = [];
  let place = at - (lines.at(-1)?.length ?? 0);
  let indent = (lines.pop() ?? "").search(/\S|$/u);
  for (const line of lines.toReversed()) {
    place -= line.length + 1;
    const own = line.search(/\S/u);
    if (own === -1 || own >= indent) continue;
    indent = own;
    headers.push({ text: line.trim(), indent, open: place });
  }
  return headers;
}

function listOpenBraces({ source: { code }, start }: TestBody, at: number): readonly Header[] {
  const headers: Header[] = [];
  let depth = 0;
  for (let place = at - 1; place >= start; place -= 1) {
    const sign = code.charAt(place);
    if (sign === "}") depth += 1;
    else if (sign === "{" && depth > 0) depth -= 1;
    else if (sign === "{") {
      const line = Math.max(start, code.lastIndexOf("\n", place) + 1);
      headers.push({ text: code.slice(line, place).trim(), indent: 0, open: place });
    }
  }
  return headers;
}

/** What a handler does that still fails, or says so. */
const MAY_FAIL =
  /\bthrow\b|\braise\b|\bassert|\bexpect|\bfail|\breject|\bdone\(|\bexit\b|\bpanic|\bpytest\.|\bt\.\w|\breturn false\b|\bshould|\bcheck|\berrors?\.(?:push|append|add)/iu;

/** By a handler that lets the test go on. */
function isCaught(body: TestBody, at: number): boolean {
  const { language } = body.source;
  if (language === "python") return listHeaders(body, at).some((header) => isQuietExcept(body, header, at));
  if (language !== "js" && language !== "ts" && language !== "c") return false;
  return listHeaders(body, at).some((header) => /\btry$/u.test(header.text) && isQuietCatch(body, header.open));
}

function isQuietCatch({ source: { code, language }, brackets, end }: TestBody, open: number): boolean {
  const close = brackets.get(open) ?? end;
  const handler = /^\s*catch\s*(?:\((?<caught>[^()]*)\))?\s*\{/u.exec(code.slice(close + 1, end));
  if (handler === null) return false;
  const from = close + handler[0].length;
  const inner = code.slice(from + 1, brackets.get(from) ?? end);
  // On the JVM a failed assertion is an error, and no exception.
  const hears = language !== "c" || /^$|\b(?:AssertionError|Throwable|Error)\b/u.test(handler.groups?.["caught"] ?? "");
  return hears && !MAY_FAIL.test(inner);
}

const CATCHES_ALL = /^\s*$|AssertionError|\bBaseException\b|\bException\b/u;

function isQuietExcept({ source: { code }, end }: TestBody, { text, indent }: Header, at: number): boolean {
  if (text !== "try:") return false;
  const lines = code.slice(at, end).split("\n").slice(1);
  const place = lines.findIndex((line) => line.search(/\S/u) === indent);
  const handler = /^\s*except(?<kind>[^:]*):(?<rest>.*)$/u.exec(lines[place] ?? "");
  if (handler === null || !CATCHES_ALL.test(handler.groups?.["kind"] ?? "")) return false;
  const after = lines.slice(place + 1);
  const length = after.findIndex((line) => line.trim() !== "" && line.search(/\S/u) <= indent);
  const inner = [handler.groups?.["rest"] ?? "", ...(length === -1 ? after : after.slice(0, length))].join("\n");
  return !MAY_FAIL.test(inner);
}

export interface Assertion {
  readonly at: number;
  /** Without space: two that say the same are equal. */
  readonly text: string;
  /** Why it proves nothing; null if it may fail. */
  readonly flaw: "empty" | "caught" | "unreached" | null;
  readonly strength: "exact" | "weak" | null;
  /** What it speaks of. */
  readonly subject: string;
}

const CALLS =
  /(?<![\w$])(?:(?:expect|assert|verify|refute)\w*!?|(?:EXPECT|ASSERT|CHECK|REQUIRE|XCTAssert|XCTFail)\w*|should|is_expected|fail|pytest\.(?:raises|warns|fail)|(?:must|wont)_\w+|StepVerifier)(?=[ ]*(?:[.({<]|\s+\w))/gu;
/** Words that assert in one family of languages only. */
const BY_LANGUAGE: ReadonlyMap<Language, RegExp> = new Map([
  [
    "js",
    /(?<![\w$.])(?:t|tt|tap|test|ctx|QUnit)\.(?:is|not|deepEqual|notDeepEqual|like|throws|throwsAsync|notThrows|truthy|falsy|true|false|regex|equal|equals|notEqual|same|strictSame|ok|notOk|match|snapshot|assert|pass|fail|rejects|resolves|has|type|strictEqual|deepStrictEqual)(?=\()/gu,
  ],
  [
    "go",
    /(?<![\w.])(?:[tbc]\.(?:Errorf?|Fatalf?|Fail|FailNow)|(?:require|assert|is|qt|td|check)\.\w+|panic|g\.Expect)(?=\()/gu,
  ],
  [
    "c",
    /(?<=\.)(?:Should|andExpect|isEqualTo|expectNext\w*|expectStatus|expectBody|shouldBe|shouldThrow|shouldHave)(?=\(|\b)|(?<![\w.])(?:Assert|CollectionAssert|StringAssert)\.\w+(?=[<(])/gu,
  ],
  ["ruby", /(?<![\w.])(?:expect_\w+|flunk)(?=[ (]|$)/gmu],
  ["shell", /^[ \t]*(?!(?:#|fi\b|done\b|else\b|then\b|do\b|local\b|run\b|cd\b|export\b|\}|@|\w+=))\S[^\n]*$/gmu],
]);
/** A helper of the project may assert, too. */
const MAY_ASSERT =
  /\b\w*(?:assert|expect|verif|check|should|must|ensure|validat|fail|raises?|throws?|compare|match|test|panic|unwrap|eventually|require|snapshot)\w*[ ]*[!(.]|\?;|\bdone\(/iu;

/** The call that declares the test is none of its own; where it names a function, the assertions are there. */
export function mayAssert({ source: { code }, start, end }: TestBody): boolean {
  const test = code.slice(start, end);
  const body = test.slice(test.search(/\{|=>|:[ \t]*\S*\n|:[ \t]*\w+$|\bdo\b|$/u));
  return body === "" || MAY_ASSERT.test(body);
}

const ASSERTIONS_MAX = 400;

export function listAssertions(body: TestBody): readonly Assertion[] {
  const { source, start, end } = body;
  const { language, code } = source;
  const own = BY_LANGUAGE.get(language === "ts" ? "js" : language);
  const patterns = language === "shell" ? [] : [CALLS];
  const places = [...patterns, ...(own === undefined ? [] : [own])].flatMap((pattern) =>
    [...code.slice(start, end).matchAll(pattern)].map(({ index }) => start + index),
  );
  const assertions: Assertion[] = [];
  let last = start;
  for (const at of places.toSorted((one, other) => one - other)) {
    if (at < last || isDeclared(code, at) || assertions.length === ASSERTIONS_MAX) continue;
    last = findEnd(body, at);
    assertions.push(readAssertion(body, at, last));
  }
  return assertions;
}

function isDeclared(code: string, at: number): boolean {
  const before = code.slice(Math.max(0, at - 20), at);
  return /(?:\b(?:def|function|func|fn|fun|void|class|import|from|use|using|let|const|var)[ \t]+|\brequire\(\s*)$/u.test(
    before,
  );
}

const STATEMENT_CHARS_MAX = 4000;

/** Behind the statement: what goes on in the next line begins with a dot, or stands in brackets. */
function findEnd({ source: { code }, brackets, end }: TestBody, from: number): number {
  const last = Math.min(end, from + STATEMENT_CHARS_MAX);
  for (let at = from; at < last; at += 1) {
    const close = brackets.get(at);
    if (close !== undefined) at = close;
    else if (";)}]".includes(code.charAt(at)) || endsLine(code, from, at)) return at;
  }
  return last;
}

function endsLine(code: string, from: number, at: number): boolean {
  if (code.charAt(at) !== "\n") return false;
  const goesOn = /^\s*(?:\.\w|\?\.|&\.)/u.test(code.slice(at, at + 200));
  return !goesOn && !/[,.(=&|+\\]\s*$/u.test(code.slice(Math.max(from, at - 40), at));
}

/** One call of a chain such as `expect(a).not.toBe(b)`, with its arguments. */
interface Call {
  readonly name: string;
  readonly args: readonly string[];
}

function readAssertion(body: TestBody, at: number, end: number): Assertion {
  const written = body.source.text.slice(at, end);
  const isReport = body.source.language === "go" && /^(?:[tbc]\.|panic)/u.test(written);
  const said = isReport ? readCondition(body, at) : written;
  const claim = isReport ? null : readClaim(body, at, end);
  return {
    at,
    text: (said === "" ? written : said).replaceAll(/\s+/gu, "").replace(/[,;]+$/u, ""),
    flaw: findFlaw(body, at, claim),
    strength: claim === null ? null : rateStrength(claim, written),
    subject: claim?.subject ?? "",
  };
}

/** What must be so before a test of Go reports a failure. */
function readCondition({ source: { code, text }, start }: TestBody, at: number): string {
  let depth = 0;
  for (let place = at - 1; place > start; place -= 1) {
    const sign = code.charAt(place);
    if (sign === "}") depth += 1;
    else if (sign === "{" && depth > 0) depth -= 1;
    else if (sign === "{") return text.slice(code.lastIndexOf("\n", place) + 1, place);
  }
  return "";
}

/** What an assertion compares, and how. */
interface Claim {
  readonly subject: string;
  /** Null if it is not compared with anything. */
  readonly other: string | null;
  readonly how: string;
}

const PYTHON_COMPARISON = /\s(?:==|!=|is not|is|not in|in|<=|>=|<|>)\s/gu;

function readClaim(body: TestBody, at: number, end: number): Claim | null {
  const { code, text, language } = body.source;
  const keyword = language === "python" ? /^assert(?:[ \t]+|(?=\())/u.exec(code.slice(at, end)) : null;
  if (keyword !== null) {
    const [[from, to] = [at, end]] = splitArguments(code, at + keyword[0].length, end);
    return splitComparison(code.slice(from, to), text.slice(from, to), PYTHON_COMPARISON);
  }
  const [first, ...others] = listCalls(body, at, end).filter(({ name }) => !SAYS_WHY.test(name));
  if (first === undefined) return null;
  const last = others.at(-1);
  return last === undefined
    ? readCall(first)
    : { subject: first.args[0] ?? "", other: last.args[0] ?? null, how: nameHow(code, at, end) };
}

/** The values that one call compares; a text behind them says why. */
function readCall({ name: how, args }: Call): Claim {
  const [subject = "", other = null] = args.filter((arg, place) => place > 0 || !/^(?:[tbc]|self)$/u.test(arg));
  if (other !== null && !/^["'`]/u.test(other)) return { subject, other, how };
  const compared = splitComparison(subject, subject, /\s?[=!]==?\s?/gu);
  return compared.other === null ? { subject, other, how } : compared;
}

const SAYS_WHY = /^(?:as|because|withFailMessage|withMessage|overridingErrorMessage|describedAs|withContext)$/u;

/** The names of all its parts, such as `expect not toBe`. */
function nameHow(code: string, at: number, end: number): string {
  return (code.slice(at, end).match(/(?<=^|\.)\w+!?|\b(?:to|not_to|to_not)[ ]+\w+/gu) ?? []).join(" ");
}

function splitComparison(code: string, text: string, signs: RegExp): Claim {
  const parts = [...code.matchAll(signs)];
  const [first] = parts;
  if (first === undefined || parts.length > 1) return { subject: text.trim(), other: null, how: "assert" };
  const [left, right] = [text.slice(0, first.index).trim(), text.slice(first.index + first[0].length).trim()];
  return { subject: left, other: right, how: first[0].trim() };
}

function listCalls({ source: { code, text, language }, brackets }: TestBody, at: number, end: number): readonly Call[] {
  const calls: Call[] = [];
  for (let place = at; place < end; place += 1) {
    const close = brackets.get(place);
    if (close === undefined) continue;
    const name = /(?<name>\w+!?)[ ]*(?:<[^<>()]*>)?$/u.exec(code.slice(Math.max(at, place - 80), place))?.groups?.[
      "name"
    ];
    const isCall = code.charAt(place) === "(" || (language === "rust" && code.charAt(place - 1) === "!");
    if (isCall && name !== undefined && close <= end)
      calls.push({ name, args: readArguments(code, text, place, close) });
    place = close;
  }
  return calls;
}

function readArguments(code: string, text: string, open: number, close: number): readonly string[] {
  return splitArguments(code, open + 1, close)
    .map(([from, to]) => text.slice(from, to).trim().replaceAll(/\s+/gu, " "))
    .filter((argument) => argument !== "");
}

function splitArguments(code: string, start: number, end: number): readonly (readonly [number, number])[] {
  const parts: (readonly [number, number])[] = [];
  let [from, depth] = [start, 0];
  for (let at = start; at < end; at += 1) {
    const sign = code.charAt(at);
    if ("([{".includes(sign)) depth += 1;
    if (")]}".includes(sign)) depth -= 1;
    if (sign !== "," || depth !== 0) continue;
    parts.push([from, at]);
    from = at + 1;
  }
  return [...parts, [from, end]];
}

const EQUAL =
  /(?:^|[ _.])(?:(?:assert|strict|deep|Are|is)?_?(?:strict|deep)?_?(?:equals?|same|eq|eql|identical)(?:To|As|Deep|s)?!?|toBe|toEqual|toStrictEqual|be|is|==|===)$/iu;
const NEGATED = /\bnot|Not[A-Z]|!=|differ|refute|_ne\b|wont/u;
const WEAK =
  /toBeDefined|toBeTruthy|toBeInstanceOf|toBeTypeOf|Not(?:Null|Nil|None)|not_?(?:null|nil|none)|is not$|exist|isinstance|IsTrue|assertTrue|^True$|^ok$|^assert$|anything|NoError|toHaveBeenCalled$|toBeGreaterThan/u;

const NOTHING = /^(?:None|nil|null|undefined)$/u;

function rateStrength(claim: Claim, written: string): Assertion["strength"] {
  const { other, how } = claim;
  if (other !== null && isEquality(claim)) return NOTHING.test(other) ? null : "exact";
  if (!WEAK.test(how)) return null;
  return saysLittle(claim) || /isinstance/u.test(written) ? "weak" : null;
}

function isEquality({ how }: Claim): boolean {
  return EQUAL.test(how) && !NEGATED.test(how);
}

function saysLittle({ subject, other, how }: Claim): boolean {
  return NEGATED.test(how) || other === null || !/[=<>!(]|\b(?:in|is|and|or)\b/u.test(subject);
}

function findFlaw(body: TestBody, at: number, claim: Claim | null): Assertion["flaw"] {
  if (claim !== null && isEmpty(body, claim)) return "empty";
  if (isUnreached(body, at)) return "unreached";
  return isCaught(body, at) ? "caught" : null;
}

const TRUE = /^(?:true|True|1)$/u;
const TRUE_IN_THE_END = /(?:\|\||\bor)\s*(?:true|True)$/u;

/** It holds whatever the code does. */
function isEmpty(body: TestBody, claim: Claim): boolean {
  const { subject, other, how } = claim;
  if (TRUE_IN_THE_END.test(other ?? subject)) return true;
  if (other === null || /^["'`]/u.test(other)) return TRUE.test(subject) && IS_TRUTH.test(how);
  if (/toBeGreaterThanOrEqual|>=$/u.test(how)) return other === "0" && /\blen\(|length|size|count/iu.test(subject);
  return isEquality(claim) && (subject === other || isComputed(body, subject, other));
}

/** The expected value comes from the call that is tested. */
function isComputed(body: TestBody, subject: string, other: string): boolean {
  return subject.includes("(") && readAssigned(body, other) === subject;
}

const IS_TRUTH =
  /(?:^|[ _.])(?:assert!?|ok|true|assert_?true|istrue|truthy|tobetruthy|xctassert(?:true)?|expect_true|assert_true|check|require)$/iu;

/** The one expression that a name of the test stands for. */
function readAssigned({ source: { text }, start, end }: TestBody, name: string): string | null {
  if (!/^\w+$/u.test(name) || /^\d|first|before|once|again|old|prev|one|a$/iu.test(name)) return null;
  const assigned = new RegExp(String.raw`(?<![\w.])${name}\s*:?=(?!=)\s*(?<value>[^\n;]+)`, "gu");
  const [only, more] = [...text.slice(start, end).matchAll(assigned)];
  return only === undefined || more !== undefined ? null : (only.groups?.["value"] ?? "").trim();
}
