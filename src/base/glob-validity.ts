/** Whether a glob can be used, and its parts. What it matches is the business of `globs.ts`. */

const GLOB_LENGTH_MAX = 400;
const EXPANSIONS_MAX = 64;
const CLASSES_MAX = 8;
const STARS_IN_SEGMENT_MAX = 3;
const GLOBSTARS_INSIDE_MAX = 2;
const FREE_WILDCARDS_MAX = 3;

const CONTROL_CHARACTER = /\p{Cc}/u;
const NUMBER_RANGE = /\{[^{},]*\.\.[^{},]*\}/u;
/** Refused, because its author expects a meaning that it does not have here. */
const EXTENDED_GLOB = /[@!+*?]\(/u;
const NAMED_CLASS = /\[:[a-z]+:\]/iu;
/** A run of stars, a question mark, a class, a run of literals, or a single bracket. */
const TOKEN = /\*+|\?|\[[!^]?\]?[^\]]+\]|\[\]\]|[^*?[]+|\[/gu;

/** Most globs are names with one star, below any folder or not: nothing can be wrong with them. */
const SIMPLE = /^(?:\*\*\/)?(?:\.?[\w-][\w.-]*\/)*(?:\*\*|\*[\w.-]*|\.?[\w-][\w.-]*\*?)$/;

const KNOWN_MAX = 2000;
/** The same globs are validated with each configuration, and expanded by each of their readers. */
const knownProblems = new Map<string, string | null>();
const knownExpansions = new Map<string, readonly string[] | null>();

function recall<T>(known: Map<string, T>, glob: string, find: () => T): T {
  const found = known.get(glob);
  if (found !== undefined) return found;
  if (known.size >= KNOWN_MAX) known.clear();
  const answer = find();
  known.set(glob, answer);
  return answer;
}

/** The end of a sentence that starts with "it"; null for a usable glob. */
export function validateGlob(glob: string): string | null {
  if (glob.length <= GLOB_LENGTH_MAX && SIMPLE.test(glob)) return null;
  const text = glob.normalize("NFC");
  return recall(knownProblems, text, () => findTextProblem(text) ?? findBraceProblem(text) ?? findCostProblem(text));
}

function findTextProblem(glob: string): string | null {
  if (glob === "") return "is empty";
  if (glob.length > GLOB_LENGTH_MAX) return `is longer than ${GLOB_LENGTH_MAX} characters`;
  if (CONTROL_CHARACTER.test(glob)) return "contains a control character";
  if (glob.startsWith("!")) return "begins with `!`: a scope has no negation";
  if (glob.includes("\\")) return "contains a backslash: separators are `/` and nothing can be escaped";
  if (EXTENDED_GLOB.test(glob)) return "contains an extended glob: write the alternatives in braces";
  return findSegmentProblem(glob.split("/"));
}

function findSegmentProblem(segments: readonly string[]): string | null {
  if (segments[0] === "") return "begins with `/`: globs are relative to the root of the repository";
  if (segments.at(-1) === "") return "ends with `/`: write `/**` for everything inside a folder";
  if (segments.includes("")) return "contains an empty segment";
  if (segments.includes("..")) return "contains a `..` segment";
  if (segments.includes(".")) return "contains a `.` segment";
  return null;
}

function findBraceProblem(glob: string): string | null {
  let depth = 0;
  for (const character of glob) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0) return "has braces that do not pair";
  if (NUMBER_RANGE.test(glob)) return "has a range in braces: write the alternatives out";
  return null;
}

function findCostProblem(glob: string): string | null {
  if (NAMED_CLASS.test(glob)) return "has a named character class: write its characters out";
  const expansions = expandBraces(glob);
  if (expansions === null) return `stands for more than ${EXPANSIONS_MAX} patterns: split it`;
  for (const expansion of expansions) {
    const problem =
      findClassProblem(expansion) ?? findWildcardProblem(expansion) ?? findSegmentProblem(expansion.split("/"));
    if (problem !== null) return problem;
  }
  return null;
}

function findClassProblem(pattern: string): string | null {
  const classes = pattern.split("/").flatMap(splitTokens).filter(isClass);
  if (classes.length > CLASSES_MAX) return `has more than ${CLASSES_MAX} character classes`;
  return classes.every(isOrdered) ? null : "has a range in brackets that is out of order";
}

function findWildcardProblem(pattern: string): string | null {
  const segments = splitAtSlashes(pattern);
  const globstars = segments.slice(0, -1).filter((segment) => segment === "**").length;
  const stars = segments.map((segment) => (segment === "**" ? 0 : countStars(segment)));
  const free = stars.reduce((sum, count) => sum + Math.max(0, count - 1), globstars);
  const tooMany =
    globstars > GLOBSTARS_INSIDE_MAX ||
    free > FREE_WILDCARDS_MAX ||
    stars.some((count) => count > STARS_IN_SEGMENT_MAX);
  return tooMany ? "has too many wildcards to be matched quickly: split it or write more of it out" : null;
}

function countStars(segment: string): number {
  return splitTokens(segment).filter((token) => token.startsWith("*")).length;
}

export function isClass(token: string): boolean {
  return token.length > 1 && token.startsWith("[");
}

function isOrdered(token: string): boolean {
  try {
    return new RegExp(writeClassSource(token), "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/** Neighbouring globstars mean no more than one. */
export function splitAtSlashes(pattern: string): string[] {
  return pattern.split("/").filter((segment, position, all) => segment !== "**" || all[position - 1] !== "**");
}

export function splitTokens(segment: string): string[] {
  return segment.match(TOKEN) ?? [];
}

/** Null if there are too many. A pair without a comma is literal. */
export function expandBraces(glob: string): readonly string[] | null {
  return recall(knownExpansions, glob, () => expandFully(glob));
}

function expandFully(glob: string): readonly string[] | null {
  const finished = new Set<string>();
  const open = new Set([glob]);
  for (const pattern of open) {
    const alternatives = expandOnce(pattern);
    if (alternatives === null) finished.add(pattern);
    else for (const alternative of alternatives) open.add(alternative);
    if (open.size > EXPANSIONS_MAX * 4 || finished.size > EXPANSIONS_MAX) return null;
  }
  return [...finished];
}

/** Replaces the first innermost group; null if there is none. */
function expandOnce(pattern: string): string[] | null {
  if (!pattern.includes("{")) return null;
  const starts: number[] = [];
  for (let position = 0; position < pattern.length; position += 1) {
    if (pattern[position] === "{") starts.push(position);
    if (pattern[position] !== "}") continue;
    const start = starts.pop();
    if (start === undefined) continue;
    const group = pattern.slice(start + 1, position);
    if (!group.includes(",")) continue;
    const [head, tail] = [pattern.slice(0, start), pattern.slice(position + 1)];
    return group.split(",").map((alternative) => head + alternative + tail);
  }
  return null;
}

/** A class never matches the separator. */
export function writeClassSource(token: string): string {
  const negated = /^\[[!^]./su.test(token) && token.length > 3;
  const members = token.slice(negated ? 2 : 1, -1).replace(/[\\[\]^]/gu, String.raw`\$&`);
  return `(?!/)[${negated ? "^" : ""}${members}]`;
}

/**
 * The one glob with a meaning of its own where it forbids: the templates of such files (`.env.example` and the like) are
 * made to be committed.
 */
export const ENVIRONMENT_FILES = "**/.env*";
