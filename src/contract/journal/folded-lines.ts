import type { JournalLine } from "./event.ts";

export interface LineFold {
  readonly take: (line: JournalLine) => void;
}

export interface FoldedLines {
  readonly lines: () => readonly JournalLine[];
  /** Created once for each kind and given every new line, so that a tick costs the same after many others. */
  readonly fold: <Fold extends LineFold>(kind: new () => Fold) => Fold;
}

export interface GrowingLines extends FoldedLines {
  readonly push: (line: JournalLine) => void;
}

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
