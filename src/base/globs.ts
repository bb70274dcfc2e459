import picomatch from "picomatch";
import {
  ENVIRONMENT_FILES,
  expandBraces,
  isClass,
  splitAtSlashes,
  splitTokens,
  validateGlob,
  writeClassSource,
} from "./glob-validity.ts";
import { foldName } from "./path-names.ts";

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

/**
 * Sets of globs, compiled once for a whole judgement, when the first path is asked about.
 *
 * The two directions differ on purpose, each erring on the side of refusal. What is allowed is matched exactly: `src/**`
 * covers what lies inside `src`, not a file or link that took the place of the folder. What is forbidden is matched
 * without regard to case, and on every folder above the path, so that `src/*secret*` covers `src/SECRETS/key.pem`.
 * A glob that cannot be read allows nothing and forbids everything.
 */

/** The first glob that decides about the path, or null. */
export type PathMatcher = (path: string) => string | null;

/** Engines refuse an expression that is too large. */
const PIECE_LENGTH_MAX = 50_000;
/** For fewer, the joined expressions cost more than they save. */
const FEW_PATHS = 1000;
const FEW_GLOBS = 20;

interface ReadableGlob {
  readonly glob: string;
  /** A match contains one of them. */
  readonly needles: readonly string[];
  readonly source: () => string;
  readonly expression: () => RegExp;
}

interface GlobDirection extends GlobReadingOptions {
  readonly anchor: (source: string) => RegExp;
  /** Null for a glob that cannot be read. The same globs come in several sets. */
  readonly known: Map<string, ReadableGlob | null>;
}

const KNOWN_MAX = 2000;

const ALLOWED: GlobDirection = {
  fold: (text) => text,
  endsAtFolder: false,
  anchor: (source) => new RegExp(`^(?:${source})$`, "su"),
  known: new Map(),
};

const FORBIDDEN: GlobDirection = {
  fold: foldName,
  endsAtFolder: true,
  // The end of a segment ends a match too, which covers everything below a matching folder.
  anchor: (source) => new RegExp(`^(?:${source})(?:/|$)`, "isu"),
  known: new Map(),
};

const ENVIRONMENT_FILE = String.raw`(?:.*/)?\.env(?![^/]*\.(?:example|sample|template|dist)(?:/|$))[^/]*`;

/** Exact case, the path itself, no folder above it. */
export function compileAllowed(globs: readonly string[]): PathMatcher {
  const finder = once(() => makeFinder(read(globs, ALLOWED).readable, ALLOWED));
  return (path) => finder().find(path.normalize("NFC"));
}

/** Any case, the path or any folder above it, and `a/**` covers `a` too. */
export function compileForbidden(globs: readonly string[]): PathMatcher {
  const reading = once(() => {
    const { readable, unreadable } = read(globs, FORBIDDEN);
    return { unreadable, ...makeFinder(readable, FORBIDDEN) };
  });
  return (path) => {
    const { unreadable, find, findUnfolded } = reading();
    const folded = foldName(path);
    const exact = path.normalize("NFC");
    // Folding may lengthen a letter (`ß`), and a `?` or a class in the glob would miss it.
    const second = folded.length === exact.length ? null : exact;
    return unreadable ?? find(folded) ?? (second === null ? null : findUnfolded(second));
  };
}

/** An expression that every path matches which these globs forbid, and few others. It is much faster than they are. */
export function makeLikelyTest(globs: readonly string[]): RegExp {
  // One that cannot be read forbids everything.
  const needles = globs.flatMap((glob) => (validateGlob(glob) === null ? listNeedles(glob, FORBIDDEN) : [""]));
  // Letters beyond ASCII have several forms.
  return new RegExp(["[^\\0-\\x7f]", ...new Set(needles.map(escapeText))].join("|"), "i");
}

function escapeText(text: string): string {
  return text.replaceAll(/[^\w ]/g, String.raw`\$&`);
}

function read(globs: readonly string[], direction: GlobDirection) {
  const readable: ReadableGlob[] = [];
  let unreadable: string | null = null;
  for (const glob of globs) {
    const known = readKnown(glob, direction);
    if (known === null) unreadable ??= glob;
    else readable.push(known);
  }
  return { readable, unreadable };
}

function readKnown(glob: string, direction: GlobDirection): ReadableGlob | null {
  const { known } = direction;
  const found = known.get(glob);
  if (found !== undefined) return found;
  if (known.size >= KNOWN_MAX) known.clear();
  const reading = prepare(glob, direction);
  known.set(glob, reading);
  return reading;
}

/** Most globs are never translated: no path contains a needle of theirs. */
function prepare(glob: string, direction: GlobDirection): ReadableGlob | null {
  if (validateGlob(glob) !== null) return null;
  const isOwn = direction === FORBIDDEN && glob === ENVIRONMENT_FILES;
  const source = once(() => (isOwn ? ENVIRONMENT_FILE : (readGlob(glob, direction)?.sources ?? []).join("|")));
  return { glob, needles: listNeedles(glob, direction), source, expression: once(() => direction.anchor(source())) };
}

function once<T extends string | object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** Single expressions answer for few paths, joined ones for the many that match nothing. */
function makeFinder(readable: readonly ReadableGlob[], { anchor }: GlobDirection) {
  let asked = 0;
  const pieces = once(() =>
    splitIntoPieces(readable).map((single) => ({
      single,
      joined: anchor(single.map(({ source }) => source()).join("|")),
    })),
  );
  const findUnfolded: PathMatcher = (path) => {
    const piece = pieces().find(({ joined }) => joined.test(path));
    return piece?.single.find(({ expression }) => expression().test(path))?.glob ?? null;
  };
  const find: PathMatcher = (path) => {
    asked += 1;
    if (asked > FEW_PATHS) return findUnfolded(path);
    const likely = readable.filter(({ needles }) => needles.some((needle) => path.includes(needle)));
    if (likely.length > FEW_GLOBS) return findUnfolded(path);
    return likely.find(({ expression }) => expression().test(path))?.glob ?? null;
  };
  return { find, findUnfolded };
}

function splitIntoPieces(readable: readonly ReadableGlob[]): readonly (readonly ReadableGlob[])[] {
  const pieces: ReadableGlob[][] = [];
  let room = 0;
  for (const one of readable) {
    const { length } = one.source();
    room -= length;
    const current = pieces.at(-1);
    if (current !== undefined && room >= 0) {
      current.push(one);
    } else {
      pieces.push([one]);
      room = PIECE_LENGTH_MAX - length;
    }
  }
  return pieces;
}
