import { isRecord } from "./quantity.ts";
import { trimSpace } from "./words.ts";

/**
 * One JSON object out of an agent's answer. Strict on purpose: picking "the first thing that looks like JSON" can be
 * exploited, and readers disagree about duplicate keys. So the bytes must be exactly one object, alone or in a single
 * code fence; everything else is refused with a reason that an agent can act on.
 */

export interface ExtractLimits {
  readonly bytesMax: number;
  readonly depthMax: number;
}

/** Each is recorded as a cause. */
export type ExtractRefusal =
  "too_large" | "not_utf8" | "empty" | "not_json" | "too_deep" | "duplicate_key" | "unsafe_key";

export type ExtractedJson =
  | { readonly kind: "object"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "refused"; readonly cause: ExtractRefusal; readonly message: string };

const USUAL_LIMITS: ExtractLimits = { bytesMax: 1024 * 1024, depthMax: 64 };

/** Its time is proportional to the number of bytes, whatever they are. */
export function extractJson(data: Uint8Array, limits: ExtractLimits = USUAL_LIMITS): ExtractedJson {
  if (data.length > limits.bytesMax) return refuseText("too_large", `it is larger than ${limits.bytesMax} bytes`);
  const decoded = decodeUtf8(data);
  if (decoded === null) return refuseText("not_utf8", "it is not valid UTF-8");
  return readObject(removeFence(trimSpace(decoded)), limits.depthMax);
}

function readObject(text: string, depthMax: number): ExtractedJson {
  if (text === "") return refuseText("empty", "it is empty");
  if (!text.startsWith("{")) return refuseText("not_json", "it does not begin with the object: expected `{`");
  const scan = scanObject(text, depthMax);
  if (scan.isTooDeep) return refuseText("too_deep", `it is nested more than ${depthMax} levels deep`);
  if (scan.end !== null && scan.end < text.length) return refuseText("not_json", "there is text after the object");
  const value = parseJson(text);
  if (!isRecord(value)) return refuseText("not_json", "it is not valid JSON");
  return scan.badKey ?? { kind: "object", value };
}

const refuseText = (cause: ExtractRefusal, message: string) => ({ kind: "refused", cause, message }) as const;

export function decodeUtf8(data: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const FENCE_LINE_MAX = 80;
const FENCE_LINE = /^(?<fence>`{3,}|~{3,})[ \t]*[\w+.-]*$/;

/** Only if the fence is all there is. */
function removeFence(text: string): string {
  const lineEnd = text.indexOf("\n");
  const lastLine = text.lastIndexOf("\n");
  if (lineEnd === -1 || lineEnd > FENCE_LINE_MAX) return text;
  const fence = FENCE_LINE.exec(trimSpace(text.slice(0, lineEnd)))?.groups?.["fence"];
  if (fence === undefined || trimSpace(text.slice(lastLine + 1)) !== fence) return text;
  return trimSpace(text.slice(lineEnd + 1, lastLine + 1));
}

interface ObjectScan {
  readonly isTooDeep: boolean;
  readonly end: number | null;
  readonly badKey: ReturnType<typeof refuseText> | null;
}

/** An object with the keys so far, or null for an array. */
type OpenContainer = { readonly keys: Set<string>; awaitsKey: boolean } | null;

/**
 * Finds depth, end and keys. It is exact for valid JSON; the parser finds invalid JSON, so the rest of the grammar does
 * not matter here.
 */
function scanObject(text: string, depthMax: number): ObjectScan {
  const open: OpenContainer[] = [];
  let badKey: ObjectScan["badKey"] = null;
  for (let at = 0; at < text.length; at += 1) {
    const innermost = open.at(-1) ?? null;
    const character = text.charAt(at);
    switch (character) {
      case '"': {
        const end = findStringEnd(text, at);
        badKey ??= takeKey(text.slice(at, end), innermost);
        at = end - 1;
        break;
      }
      case "{":
      case "[":
        if (open.length === depthMax) return { isTooDeep: true, end: null, badKey };
        open.push(character === "{" ? { keys: new Set(), awaitsKey: true } : null);
        break;
      case "}":
      case "]":
        open.pop();
        if (open.length === 0) return { isTooDeep: false, end: at + 1, badKey };
        break;
      case ",":
        if (innermost !== null) innermost.awaitsKey = true;
        break;
      default:
    }
  }
  return { isTooDeep: false, end: null, badKey };
}

function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return Math.min(at + 1, text.length);
}

/** These reach the prototype of an object if a careless reader copies keys. */
const UNSAFE_KEYS = ["__proto__", "constructor", "prototype"];

function takeKey(quoted: string, innermost: OpenContainer): ObjectScan["badKey"] {
  if (innermost === null || !innermost.awaitsKey) return null;
  innermost.awaitsKey = false;
  // Decoded, because "\u0061" and "a" are the same key.
  const key = parseJson(quoted);
  if (typeof key !== "string") return null;
  if (UNSAFE_KEYS.includes(key)) return refuseText("unsafe_key", `the key ${quoteKey(key)} is not allowed`);
  if (innermost.keys.has(key)) return refuseText("duplicate_key", `the key ${quoteKey(key)} occurs twice`);
  innermost.keys.add(key);
  return null;
}

const KEY_CHARS_MAX = 60;

function quoteKey(key: string): string {
  return JSON.stringify(key.length > KEY_CHARS_MAX ? `${key.slice(0, KEY_CHARS_MAX)}…` : key);
}

/**
 * Some programs print `{"result": ...}` around their answer, with the object itself or with its text; one such wrapper
 * is removed.
 */
export function extractAnswer(data: Uint8Array): ExtractedJson {
  const extracted = extractJson(data);
  if (extracted.kind === "refused" || Object.keys(extracted.value).length !== 1) return extracted;
  const inner = extracted.value["result"];
  if (typeof inner === "string") return extractJson(new TextEncoder().encode(inner));
  return isRecord(inner) ? { kind: "object", value: inner } : extracted;
}

export type ParsedDocument =
  | { readonly kind: "document"; readonly value: Readonly<Record<string, unknown>> }
  /** `problem` continues a sentence that starts with the name of the file. */
  | { readonly kind: "broken"; readonly problem: string };

/**
 * Reads a JSON object from a file of a person. A duplicate key is refused: the parser would use the last one, a reader
 * the first.
 */
export function parseDocument(data: Uint8Array, limits?: ExtractLimits): ParsedDocument {
  const found = extractJson(data, limits);
  if (found.kind === "object") {
    // An agent's answer may be in a code fence, a file may not.
    return isBare(data)
      ? { kind: "document", value: found.value }
      : { kind: "broken", problem: "is not JSON: it is wrapped in a code fence" };
  }
  if (found.cause !== "not_json") return { kind: "broken", problem: `cannot be used: ${found.message}` };
  return { kind: "broken", problem: `is not JSON: ${describeParserError(data) ?? found.message}` };
}

function isBare(data: Uint8Array): boolean {
  return new TextDecoder().decode(data).trimStart().startsWith("{");
}

/** The parser's own message names the place. */
function describeParserError(data: Uint8Array): string | null {
  try {
    JSON.parse(new TextDecoder().decode(data));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : null;
  }
}
