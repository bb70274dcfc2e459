/**
 * What a glob means: `**`, `*`, `?`, `[...]` and `{a,b}`; every other character stands for itself.
 *
 * Extended globs and quantifiers are left out on purpose. They are what makes a glob slow without bound, and they take
 * the meaning of parentheses away from names such as `app/(group)/page.tsx`. picomatch therefore sees nothing but
 * wildcards and slashes: braces are expanded here, and literals and classes are put in once it has done its work.
 * Brackets are read both ways, because `app/[id].ts` may be a class or the name of a file.
 *
 * A glob is bounded before it is compiled. Matching backtracks once for every wildcard that can end in more than one
 * place, so the sum of these is kept small enough that the longest path a system allows costs milliseconds.
 */
import picomatch from "picomatch";
import { expandBraces, isClass, splitAtSlashes, splitTokens, validateGlob, writeClassSource } from "./glob-validity.ts";

const PLACEHOLDER_BASE = 0xe000;
const PLACEHOLDERS = /[\u{e000}-\u{f8ff}]/gu;

interface GlobReading {
  /** Without anchors, for the flag `u`; one of them has to match. */
  readonly sources: readonly string[];
}

export interface GlobReadingOptions {
  /** Applied to every run of literals, to fold case on both sides. */
  readonly fold: (text: string) => string;
  /** Reads `a/**` as `a`, for a matcher that covers everything below a match anyway. */
  readonly endsAtFolder: boolean;
}

/** Null for a glob that `validateGlob` refuses. */
export function readGlob(glob: string, options: GlobReadingOptions): GlobReading | null {
  if (validateGlob(glob) !== null) return null;
  const text = glob.normalize("NFC");
  const expansions = expandBraces(text) ?? [];
  const sources = expansions.map((expansion) => translate(expansion, options));
  // A file may be called exactly as the glob is written, braces included.
  return { sources: text.includes("{") ? [...sources, escapeLiteral(options.fold(text))] : sources };
}

const ASCII = /^\p{ASCII}*$/u;

/**
 * For each pattern of a usable glob, a text that every match contains. It is empty where there is none, or where letters
 * beyond ASCII could match in another form.
 */
export function listNeedles(glob: string, { fold }: Pick<GlobReadingOptions, "fold">): readonly string[] {
  const text = glob.normalize("NFC");
  const needles = (expandBraces(text) ?? []).map((expansion) => findNeedle(listLiterals(expansion), fold));
  return text.includes("{") ? [...needles, findNeedle(text.split("/"), fold)] : needles;
}

function listLiterals(pattern: string): readonly string[] {
  return pattern
    .split("/")
    .flatMap(splitTokens)
    .filter((token) => !token.startsWith("*") && token !== "?" && !isClass(token));
}

function findNeedle(literals: readonly string[], fold: (text: string) => string): string {
  let longest = "";
  for (const literal of literals) {
    const folded = fold(literal);
    if (folded.length > longest.length && ASCII.test(folded)) longest = folded;
  }
  return longest;
}

function dropFinalGlobstar(segments: string[]): string[] {
  return segments.length > 1 && segments.at(-1) === "**" ? segments.slice(0, -1) : segments;
}

function translate(pattern: string, { fold, endsAtFolder }: GlobReadingOptions): string {
  const parts: string[] = [];
  const hide = (source: string): string => String.fromCodePoint(PLACEHOLDER_BASE + parts.push(source) - 1);
  const maskSegment = (segment: string): string => splitTokens(segment).map(mask).join("");
  const segments = splitAtSlashes(pattern);
  const masked = (endsAtFolder ? dropFinalGlobstar(segments) : segments)
    .map((segment) => (segment === "**" ? segment : maskSegment(segment)))
    .join("/");
  const { source } = picomatch.makeRe(masked, {
    debug: true,
    dot: true,
    fastpaths: false,
    nobrace: true,
    nobracket: true,
    noextglob: true,
    nonegate: true,
    strictSlashes: true,
  });
  const unanchored = source.replace(/^\^/u, "").replace(/\$$/u, "");
  return unanchored.replace(PLACEHOLDERS, (placeholder) => parts[placeholder.charCodeAt(0) - PLACEHOLDER_BASE] ?? "");

  function mask(token: string): string {
    if (token.startsWith("*")) return "*";
    if (token === "?") return token;
    if (!isClass(token)) return hide(escapeLiteral(fold(token)));
    return hide(`(?:${writeClassSource(token)}|${escapeLiteral(fold(token))})`);
  }
}

function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
