/**
 * Whether what a reviewer cites is there.
 *
 * Evidence is free text, but for two forms that can be held against reality: `file: path` or `file: path:line`, and
 * `command:` with a check that the runner ran itself. A vote that cites what does not exist was not given by looking.
 */
import type { VerificationRun } from "../../contract/report.ts";

export type Citation =
  | { readonly kind: "file"; readonly path: string; readonly line: number | null }
  | { readonly kind: "command"; readonly command: string };

/** What is known of the repository and of the checks of a turn. */
export interface CitedReality {
  /** The number of lines of a file; null where there is no such file, and infinite where nobody counted. */
  readonly linesOf: (path: string) => number | null;
  readonly runs: readonly Pick<VerificationRun, "template_id" | "cmd" | "args">[];
}

/** What an item cites, if anything; more words may follow behind ` - `. */
export function citationOf(item: string): Citation | null {
  const [, kind = "", rest = ""] = /^\s*(file|command):\s*(.+)$/isu.exec(item) ?? [];
  const [first = ""] = rest.split(/\s[-–—]\s|\n/u);
  const cited = unquoted(first);
  if (cited === "") return null;
  return kind.toLowerCase() === "command" ? { kind: "command", command: cited } : fileCitation(cited);
}

function fileCitation(cited: string): Citation {
  const [, path = cited, line] = /^(.+?)(?::(\d{1,9})(?:-\d+)?)?$/su.exec(cited) ?? [];
  return {
    kind: "file",
    path: unquoted(path).replace(/^\.\//u, ""),
    line: line === undefined ? null : Number(line),
  };
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  return /^`[^`]+`$/u.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

/** What is wrong with the first false citation, in one sentence; null where every one of them holds. */
export function falseCitation(evidence: readonly string[], reality: CitedReality): string | null {
  for (const item of evidence) {
    const citation = citationOf(item);
    const problem = citation === null ? null : problemOf(citation, reality);
    if (problem !== null) return problem;
  }
  return null;
}

function problemOf(citation: Citation, { linesOf, runs }: CitedReality): string | null {
  if (citation.kind === "command") {
    const isRun = runs.some(({ template_id, cmd, args }) =>
      [template_id, [cmd, ...args].join(" ")].includes(citation.command),
    );
    return isRun ? null : `It cites the command \`${citation.command}\`, which the runner did not run.`;
  }
  const lines = linesOf(citation.path);
  if (lines === null) return `It cites the file \`${citation.path}\`, which does not exist.`;
  const isThere = citation.line === null || (citation.line >= 1 && citation.line <= lines);
  return isThere ? null : `It cites line ${citation.line} of \`${citation.path}\`, which has ${lines}.`;
}
