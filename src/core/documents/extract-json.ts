/**
 * One JSON object out of what an agent wrote.
 *
 * Strict on purpose. Whoever picks "the first thing that looks like JSON" out of a longer text can be made to pick
 * another one than a person would, and two keys of the same name mean different things to different readers. So the
 * bytes are exactly one object, alone or in a single code fence; everything else is refused with a reason that an agent
 * can act on when it is asked again.
 */
import { trimSpace } from "../words/trim-space.ts";

export interface ExtractLimits {
  readonly bytesMax: number;
  readonly depthMax: number;
}

/** Why there is no object. Each is a cause that can be recorded as it stands. */
export type ExtractRefusal =
  "too_large" | "not_utf8" | "empty" | "not_json" | "too_deep" | "duplicate_key" | "unsafe_key";

export type ExtractedJson =
  | { readonly kind: "object"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "refused"; readonly cause: ExtractRefusal; readonly message: string };

const USUAL_LIMITS: ExtractLimits = { bytesMax: 1024 * 1024, depthMax: 64 };

/** Reads the object, or says why there is none. It takes time in proportion to the bytes, whatever they are. */
export function extractJson(data: Uint8Array, limits: ExtractLimits = USUAL_LIMITS): ExtractedJson {
  if (data.length > limits.bytesMax) return refused("too_large", `it is larger than ${limits.bytesMax} bytes`);
  const decoded = decode(data);
  if (decoded === null) return refused("not_utf8", "it is not valid UTF-8");
  return objectOf(withoutFence(trimSpace(decoded)), limits.depthMax);
}

function objectOf(text: string, depthMax: number): ExtractedJson {
  if (text === "") return refused("empty", "it is empty");
  if (!text.startsWith("{")) return refused("not_json", "it does not begin with the object: expected `{`");
  const scan = scanObject(text, depthMax);
  if (scan.isTooDeep) return refused("too_deep", `it is nested more than ${depthMax} levels deep`);
  if (scan.end !== null && scan.end < text.length) return refused("not_json", "there is text after the object");
  const value = parsed(text);
  if (!isObject(value)) return refused("not_json", "it is not valid JSON");
  return scan.badKey ?? { kind: "object", value };
}

const refused = (cause: ExtractRefusal, message: string) => ({ kind: "refused", cause, message }) as const;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function decode(data: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const FENCE_LINE_MAX = 80;
const FENCE_LINE = /^(?<fence>`{3,}|~{3,})[ \t]*[\w+.-]*$/;

/** The inside of a code fence that is all there is; anything else as it stands. */
function withoutFence(text: string): string {
  const lineEnd = text.indexOf("\n");
  const lastLine = text.lastIndexOf("\n");
  if (lineEnd === -1 || lineEnd > FENCE_LINE_MAX) return text;
  const fence = FENCE_LINE.exec(trimSpace(text.slice(0, lineEnd)))?.groups?.["fence"];
  if (fence === undefined || trimSpace(text.slice(lastLine + 1)) !== fence) return text;
  return trimSpace(text.slice(lineEnd + 1, lastLine + 1));
}

interface Scan {
  readonly isTooDeep: boolean;
  /** Where the outermost object ends; null where it does not. */
  readonly end: number | null;
  readonly badKey: ReturnType<typeof refused> | null;
}

/** What is open: an object with the keys seen so far, or an array. */
type Open = { readonly keys: Set<string>; awaitsKey: boolean } | null;

/**
 * Finds depth, end and keys. It is exact for valid JSON; what is not valid is found out by the parser, so nothing here
 * has to understand the rest of the grammar.
 */
function scanObject(text: string, depthMax: number): Scan {
  const open: Open[] = [];
  let badKey: Scan["badKey"] = null;
  for (let at = 0; at < text.length; at += 1) {
    const innermost = open.at(-1) ?? null;
    const character = text.charAt(at);
    switch (character) {
      case '"': {
        const end = stringEnd(text, at);
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

/** The position after the closing quote, or the end of the text. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return Math.min(at + 1, text.length);
}

/** Names that reach the prototype of an object where a careless reader copies keys. */
const UNSAFE_KEYS = ["__proto__", "constructor", "prototype"];

function takeKey(quoted: string, innermost: Open): Scan["badKey"] {
  if (innermost === null || !innermost.awaitsKey) return null;
  innermost.awaitsKey = false;
  // Decoded, because "\u0061" and "a" are the same key.
  const key = parsed(quoted);
  if (typeof key !== "string") return null;
  if (UNSAFE_KEYS.includes(key)) return refused("unsafe_key", `the key ${shown(key)} is not allowed`);
  if (innermost.keys.has(key)) return refused("duplicate_key", `the key ${shown(key)} occurs twice`);
  innermost.keys.add(key);
  return null;
}

const KEY_CHARS_MAX = 60;

function shown(key: string): string {
  return JSON.stringify(key.length > KEY_CHARS_MAX ? `${key.slice(0, KEY_CHARS_MAX)}…` : key);
}
