import type { JournalLine } from "./event.ts";

/** What is folded from the lines of a journal, one after the other. */
export interface LineFold {
  readonly take: (line: JournalLine) => void;
}

/** The lines of a journal, with everything that was folded from them. */
export interface FoldedLines {
  readonly lines: () => readonly JournalLine[];
  /** Made once for each kind and given every new line: a tick must not cost more after many others. */
  readonly fold: <Fold extends LineFold>(kind: new () => Fold) => Fold;
}

interface GrowingLines extends FoldedLines {
  readonly push: (line: JournalLine) => void;
}

/** Begins with these lines; a journal only grows. */
export function foldLines(first: readonly JournalLine[]): GrowingLines {
  const lines = [...first];
  const folds = new Map<new () => LineFold, LineFold>();
  return {
    lines: () => lines,
    push: (line) => {
      lines.push(line);
      for (const fold of folds.values()) fold.take(line);
    },
    fold: (kind) => {
      const known = folds.get(kind);
      if (known instanceof kind) return known;
      const fold = new kind();
      for (const line of lines) fold.take(line);
      folds.set(kind, fold);
      return fold;
    },
  };
}
