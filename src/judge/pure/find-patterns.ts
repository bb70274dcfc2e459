/** Searches the patterns of a table in one side of a file. */
import type { ChangedFile, Occurrence } from "./changed-file.ts";
import { readLine } from "./changed-file.ts";
import type { ScannedSource } from "../../base/scan-source.ts";
import type { PatternRow } from "./suppression-table.ts";

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
