/** Leaves a summary of the journal, so that the next command need not read the lines of many ticks. */
import type { LineFold } from "../records/folded-lines.ts";
import { AcceptedFold, isAllSettled, RunsFold } from "../journal/pure/journal-runs.ts";
import { RateLimitFold } from "../journal/pure/rate-limit.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { SeriesFold } from "../workflows/pure/last-series.ts";
import { TickRecords } from "../tick/pure/tick-records.ts";
import type { Journal } from "../journal/journal.ts";

const KINDS: readonly (new () => Required<LineFold>)[] = [
  AcceptedFold,
  RateLimitFold,
  RunsFold,
  SeriesFold,
  WorkspaceFold,
];

/** Not while a tick is open, and not of a short journal, which is read as fast. */
export function rememberJournal(journal: Journal): void {
  const recent = journal.recent();
  const first = recent.at(0)?.seq ?? 0;
  if (first === 0 || !isAllSettled(journal.foldRecent(TickRecords).all())) return;
  const known = new Set(recent.flatMap(({ run_id, event }) => (event.type === "tick_started" ? [run_id] : [])));
  const older = journal
    .fold(AcceptedFold)
    .newest()
    .filter((runId) => !known.has(runId))
    .flatMap((runId) => journal.linesOf(runId).filter(({ seq }) => seq < first));
  journal.summarise({ older, folds: Object.fromEntries(KINDS.map((kind) => [kind.name, journal.fold(kind).save()])) });
}
