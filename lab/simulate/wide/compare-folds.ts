/** The same journal gives the same folds, whether it was read whole, by its events, or by its summary. */
import type { FoldedLines, LineFold } from "../../../src/records/folded-lines.ts";
import { AcceptedFold, RunsFold } from "../../../src/journal/pure/journal-runs.ts";
import { RateLimitFold } from "../../../src/journal/pure/rate-limit.ts";
import { WorkspaceFold } from "../../../src/journal/pure/workspace-state.ts";
import { SeriesFold } from "../../../src/workflows/pure/last-series.ts";

export const KINDS: readonly (new () => Required<LineFold>)[] = [
  AcceptedFold,
  RateLimitFold,
  RunsFold,
  SeriesFold,
  WorkspaceFold,
];

/** The first fold in which they differ; null where they agree. */
export function findFoldDifference(one: FoldedLines, other: FoldedLines): string | null {
  for (const kind of KINDS) {
    const [left, right] = [one.fold(kind).save(), other.fold(kind).save()];
    if (left !== right) return `${kind.name} differs:\n${left}\n${right}`;
  }
  return null;
}
