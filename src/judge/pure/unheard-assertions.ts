/** Assertions that fail without a sound: in a branch that is never taken, or inside of a `try` whose handler goes on. */
import type { ScannedSource } from "../../base/scan-source.ts";

export interface TestBody {
  readonly source: ScannedSource;
  readonly brackets: ReadonlyMap<number, number>;
  readonly start: number;
  readonly end: number;
}

const NEVER = /^(?:\}\s*)?(?:el(?:se\s+)?)?(?:if|while)\s*\(?\s*(?:false|False|0|nil|None|null)\s*\)?\s*:?$/u;

export function isUnreached(body: TestBody, at: number): boolean {
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
export function isCaught(body: TestBody, at: number): boolean {
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
