/**
 * Checks the citations of a reviewer. Evidence is free text except for two forms: `file: path` or `file: path:line`,
 * and `command:` with a check that the runner ran. A vote that cites something that does not exist was not given by
 * looking. Words may follow and names may have spaces, so an item has several readings; one true reading is enough.
 */
import type { VerificationRun } from "../../records/report.ts";

export type Citation =
  | { readonly kind: "file"; readonly path: string; readonly lines: LineRange | null }
  | { readonly kind: "command"; readonly command: string };

interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface CitedReality {
  /** Null if there is no such file, infinite if its lines were not counted. */
  readonly linesOf: (path: string) => number | null;
  readonly runs: readonly Pick<VerificationRun, "template_id" | "cmd" | "args">[];
}

/** Where a citation may end and words about it begin. */
const WORDS_FOLLOW = /\s[-–—]\s|[:,;]\s|\s\(|\n/gu;

/** The longest reading first; none for free text. */
export function listCitations(item: string): readonly Citation[] {
  const [, kind = "", rest = ""] = /^\s*(file|command):\s*(.+)$/isu.exec(item) ?? [];
  const ends = [...rest.matchAll(WORDS_FOLLOW)].map(({ index }) => index).toReversed();
  const texts = [rest, ...ends.map((end) => rest.slice(0, end))].map(unquote).filter((text) => text !== "");
  return texts.map((text) =>
    kind.toLowerCase() === "command" ? { kind: "command", command: text } : readFileCitation(text),
  );
}

/** `path:12`, `path:12-20`, `path:12:5` with a column, or `path#L12-L20`. */
const PLACE = /^(.+?)(?::(\d{1,9})(?:-(\d{1,9})|:\d+)?|#L(\d{1,9})(?:-L?(\d{1,9}))?)$/su;

function readFileCitation(text: string): Citation {
  const [, path = text, line, end, hashLine, hashEnd] = PLACE.exec(text) ?? [];
  const first = line ?? hashLine;
  const last = end ?? hashEnd ?? first;
  return {
    kind: "file",
    path: unquote(path).replace(/^\.\//u, ""),
    lines: first === undefined ? null : { first: Number(first), last: Number(last) },
  };
}

function unquote(text: string): string {
  const trimmed = text.trim();
  return /^`[^`]+`$/u.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

/** One sentence about the first false citation. */
export function findFalseCitation(evidence: readonly string[], reality: CitedReality): string | null {
  for (const item of evidence) {
    const problems = listCitations(item).map((citation) => findCitationProblem(citation, reality));
    if (!problems.includes(null) && problems.length > 0) return problems.at(-1) ?? null;
  }
  return null;
}

function findCitationProblem(citation: Citation, { linesOf, runs }: CitedReality): string | null {
  if (citation.kind === "command") {
    const isRun = runs.some(({ template_id, cmd, args }) =>
      [template_id, [cmd, ...args].join(" ")].includes(citation.command),
    );
    return isRun ? null : `It cites the command \`${citation.command}\`, which the runner did not run.`;
  }
  const { path, lines } = citation;
  const count = linesOf(path);
  if (count === null) return `It cites the file \`${path}\`, which does not exist.`;
  const cited = lines === null ? [] : [lines.first, lines.last];
  const missing = cited.find((line) => line < 1 || line > count);
  return missing === undefined ? null : `It cites line ${missing} of \`${path}\`, which has ${count}.`;
}
