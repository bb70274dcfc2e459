/**
 * Sets of globs, compiled once for a whole judgement.
 *
 * The two directions differ on purpose, each erring on the side of refusal. What is allowed is matched exactly: `src/**`
 * covers what lies inside `src`, not a file or link that took the place of the folder. What is forbidden is matched
 * without regard to case, and on every folder above the path, so that `src/*secret*` covers `src/SECRETS/key.pem`.
 * A glob that cannot be read allows nothing and forbids everything.
 */
import { foldName } from "./fold-name.ts";
import { type GlobReading, readGlob } from "./glob-reading.ts";

/** The first glob that decides about the path, or null. */
export type PathMatcher = (path: string) => string | null;

/** Engines refuse an expression that is too large. */
const PIECE_LENGTH_MAX = 50_000;

interface ReadableGlob {
  readonly glob: string;
  readonly source: string;
}

/** Exact case, the path itself, no folder above it. */
export function compileAllowed(globs: readonly string[]): PathMatcher {
  const readings = read(globs, (glob) => readGlob(glob, { fold: (text) => text, endsAtFolder: false }));
  const find = makeFinder(readings.readable, (source) => new RegExp(`^(?:${source})$`, "su"));
  return (path) => find(path.normalize("NFC"));
}

/** Any case, the path or any folder above it, and `a/**` covers `a` too. */
export function compileForbidden(globs: readonly string[]): PathMatcher {
  const readings = read(globs, (glob) => readGlob(glob, { fold: foldName, endsAtFolder: true }));
  // The end of a segment ends a match too, which covers everything below a matching folder.
  const find = makeFinder(readings.readable, (source) => new RegExp(`^(?:${source})(?:/|$)`, "isu"));
  return (path) => {
    const folded = foldName(path);
    const exact = path.normalize("NFC");
    // Folding may lengthen a letter (`ß`), and a `?` or a class in the glob would miss it.
    const second = folded.length === exact.length ? null : exact;
    return readings.unreadable ?? find(folded) ?? (second === null ? null : find(second));
  };
}

function read(globs: readonly string[], compile: (glob: string) => GlobReading | null) {
  const readable: ReadableGlob[] = [];
  let unreadable: string | null = null;
  for (const glob of globs) {
    const reading = compile(glob);
    if (reading === null) unreadable ??= glob;
    else readable.push({ glob, source: reading.sources.join("|") });
  }
  return { readable, unreadable };
}

/** Joined expressions answer for the many paths that match nothing; the single ones name the match. */
function makeFinder(readable: readonly ReadableGlob[], anchor: (source: string) => RegExp): PathMatcher {
  const pieces = splitIntoPieces(readable).map((piece) => ({
    joined: anchor(piece.map(({ source }) => source).join("|")),
    single: piece.map(({ glob, source }) => ({ glob, expression: anchor(source) })),
  }));
  return (path) => {
    const piece = pieces.find(({ joined }) => joined.test(path));
    return piece?.single.find(({ expression }) => expression.test(path))?.glob ?? null;
  };
}

function splitIntoPieces(readable: readonly ReadableGlob[]): readonly (readonly ReadableGlob[])[] {
  const pieces: ReadableGlob[][] = [];
  let room = 0;
  for (const one of readable) {
    room -= one.source.length;
    const current = pieces.at(-1);
    if (current !== undefined && room >= 0) {
      current.push(one);
    } else {
      pieces.push([one]);
      room = PIECE_LENGTH_MAX - one.source.length;
    }
  }
  return pieces;
}
