import { type ChangedFile, type Occurrence, readLine, type Weakening } from "./changed-file.ts";
import { type ScannedSource, scanSource } from "../../base/scan-source.ts";
import { type PatternRow, SUPPRESSIONS } from "./suppression-table.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { findLanguage, isGenerated } from "../../base/language.ts";

/** Searches the patterns of a table in one side of a file. */

type Role = ChangedFile["role"];

/** More of one kind says nothing new. */
const MATCHES_MAX = 1000;

export function listOccurrences(source: ScannedSource, rows: readonly PatternRow[], role: Role): readonly Occurrence[] {
  return rows
    .filter(({ languages, files }) => languages.includes(source.language) && coversRole(files, role))
    .flatMap((row) => listMatches(source, row));
}

function coversRole(files: PatternRow["files"], role: Role): boolean {
  if (files === "all") return true;
  return (files === "tests") === (role === "test");
}

function listMatches(source: ScannedSource, { kind, place, pattern }: PatternRow): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const searched = place === "bare" ? source.code : source.text;
  for (const match of searched.matchAll(pattern)) {
    const at = match.index + match[0].search(/\S|$/u);
    if (!isInPlace(source, place, at)) continue;
    found.push({ kind, at, text: readLine(source.text, at) });
    if (found.length === MATCHES_MAX) break;
  }
  return found;
}

/** In the other parts there are blanks here. */
function isInPlace({ text, code, comments }: ScannedSource, place: PatternRow["place"], at: number): boolean {
  if (place === "line") return comments.charAt(at) !== text.charAt(at);
  return (place === "comment" ? comments : code).charAt(at) === text.charAt(at);
}

/**
 * Kinds that this project has in many places already. One more of them is a note: in a project that silences its tools
 * here and there, it says little; in a project that never did, it says much.
 */

/** From this many places elsewhere on, it is a custom of the project. */
const CUSTOM_MIN = 3;

export function isDecidedByCustom({ kind }: Pick<Weakening, "kind">): boolean {
  const { default: level }: { readonly default: string } = KINDS[kind];
  return level === "unusual";
}

/** Takes texts until the answer is known. */
export function countCustoms(kinds: Iterable<Kind>) {
  const counts = new Map<Kind, number>([...kinds].map((kind) => [kind, 0]));
  const listOpen = () => [...counts].filter(([, count]) => count < CUSTOM_MIN).map(([kind]) => kind);
  return {
    isOpen: (): boolean => listOpen().length > 0,
    take: (path: string, text: string): void => {
      for (const kind of listOpen()) counts.set(kind, (counts.get(kind) ?? 0) + countKind(kind, path, text));
    },
    listCustomary: (): ReadonlySet<Kind> =>
      new Set([...counts].filter(([, count]) => count >= CUSTOM_MIN).map(([kind]) => kind)),
  };
}

function countKind(kind: Kind, path: string, text: string): number {
  const language = findLanguage(path, text);
  if (language === null || isGenerated(path, text)) return 0;
  const rows = SUPPRESSIONS.filter((row) => row.kind === kind && row.languages.includes(language));
  // Most files have none, and need not be read in detail.
  if (!rows.some(({ pattern }) => text.search(pattern) !== -1)) return 0;
  return listOccurrences(scanSource(text, language), rows, "source").length;
}

export function applyCustoms(weakening: Weakening, customary: ReadonlySet<Kind>): Weakening {
  return customary.has(weakening.kind) ? { ...weakening, default: "note" } : weakening;
}
