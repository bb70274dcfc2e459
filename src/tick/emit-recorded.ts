import type { Config } from "../config/config.ts";
import type { JournalLine } from "../records/event.ts";
import { type FoldedLines, RECENT_LINES } from "../records/folded-lines.ts";
import type { LiveListener } from "../records/live-event.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";

export function emitRecorded(
  emit: LiveListener | undefined,
  {
    line,
    journal,
    budgets,
  }: { readonly line: JournalLine; readonly journal: FoldedLines; readonly budgets: Config["budgets"] },
): void {
  if (emit === undefined) return;
  emit({ kind: "recorded", line });
  emit({ kind: "spent", state: journal.fold(WorkspaceFold).state(budgets), budgets });
}

/** For a series that may go on: the last lines, and those of the series before them. */
export function listShownLines(journal: FoldedLines, seriesId: string): readonly JournalLine[] {
  const recent = journal.recent();
  const first = recent.at(0)?.seq ?? 0;
  return [...journal.linesOfSeries(seriesId).filter(({ seq }) => seq < first), ...recent];
}

/** All lines of this series, and the last ones before it. */
export function emitOpened(
  emit: LiveListener | undefined,
  { seriesId, lines }: { readonly seriesId: string; readonly lines: readonly JournalLine[] },
): void {
  if (emit === undefined) return;
  const first = Math.max(0, lines.length - RECENT_LINES);
  emit({
    kind: "opened",
    seriesId,
    lines: lines.filter(({ series_id }, index) => index >= first || series_id === seriesId),
  });
}
