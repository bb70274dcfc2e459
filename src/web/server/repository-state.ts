/** What is known of one repository: its ticks as rows, and the page of its state. It grows with the journal. */
import type { JournalLine } from "../../contract/journal/event.ts";
import { foldLines } from "../../contract/journal/folded-lines.ts";
import { findLastAcceptedRun } from "../../core/history/journal-runs.ts";
import { TickRecords, type TickRecord } from "../../core/tick/tick-records.ts";
import { summariseStatus } from "../../run/inspect/status.ts";
import type { StatusRequest } from "../../run/inspect/status-request.ts";
import { listSalvage } from "../../run/keep/salvage.ts";
import { listRepositoryLines } from "../../run/workspace/lines-of-repository.ts";
import type { WorkspaceSnapshot } from "../../run/workspace/workspace.ts";
import { makeHarmless } from "../page-model/harmless.ts";
import type { TickRow } from "../page-model/page-documents.ts";
import type { RepositoryPage, SeriesRow } from "../page-model/repository-documents.ts";
import { makeRepositoryPage } from "../page-model/repository-page.ts";
import { makeSeriesRow } from "../page-model/series-row.ts";
import { makeTickRow } from "../page-model/tick-row.ts";

export interface RepositoryState {
  /** As `withSnapshot` read it, with the lines that were added since. */
  readonly around: () => WorkspaceSnapshot;
  readonly rows: () => readonly TickRow[];
  /** Answers with the rows that changed. */
  readonly add: (lines: readonly JournalLine[]) => readonly TickRow[];
  readonly readPage: (request: StatusRequest) => Promise<RepositoryPage>;
}

export function openRepositoryState(first: WorkspaceSnapshot): RepositoryState {
  const journal = foldLines([]);
  const records = journal.fold(TickRecords);
  const newest = new Map<string, JournalLine>();
  const ofSeries = new Map<string, { readonly runIds: Set<string>; last: JournalLine }>();
  const rows = new Map<string, TickRow>();
  const add = (lines: readonly JournalLine[]): readonly TickRow[] => {
    for (const line of lines) {
      journal.push(line);
      newest.set(line.run_id, line);
      const series = ofSeries.get(line.series_id) ?? { runIds: new Set(), last: line };
      series.runIds.add(line.run_id);
      series.last = line;
      ofSeries.set(line.series_id, series);
    }
    const changed = [...new Set(lines.map(({ run_id }) => run_id))].flatMap((runId) => {
      const [record, last] = [records.find(runId), newest.get(runId)];
      return record === null || last === undefined ? [] : [makeHarmless(makeTickRow(record, last))];
    });
    for (const row of changed) rows.set(row.runId, row);
    return changed;
  };
  const listSeries = (): readonly SeriesRow[] =>
    [...ofSeries.values()]
      .flatMap(({ runIds, last }) => {
        const own = [...runIds].flatMap((runId) => rows.get(runId) ?? []);
        const record = records.find(own.at(-1)?.runId ?? "");
        return record === null ? [] : (makeSeriesRow(own, record, last) ?? []);
      })
      .toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
  const around = (): WorkspaceSnapshot => ({ ...first, lines: journal.lines() });
  add(listRepositoryLines(first.lines, first.repository));
  return {
    around,
    rows: () => [...rows.values()],
    add,
    readPage: (request) => readPage({ around: around(), records: records.all(), series: listSeries() }, request),
  };
}

interface PageSource {
  readonly around: WorkspaceSnapshot;
  readonly records: readonly TickRecord[];
  readonly series: readonly SeriesRow[];
}

async function readPage({ around, records, series }: PageSource, request: StatusRequest): Promise<RepositoryPage> {
  const status = await summariseStatus(around, request);
  if (status.kind !== "status") return describeUnreadable(status.message);
  const salvage = (await listSalvage(around)).flatMap((entry) => {
    if (entry.kind !== "found") return [];
    const { kept_at: keptAt, code, files } = entry.work;
    return [{ runId: entry.runId, keptAt, code, files: files.length }];
  });
  const undoable = findLastAcceptedRun(around.lines, around.repository.root)?.runId ?? null;
  return makeHarmless(makeRepositoryPage({ status, records, series, salvage, undoable }));
}

const NO_MONEY = {
  kind: "money",
  total: { cost: 0, ticks: 0, tokensIn: 0, tokensOut: 0 },
  unreported: 0,
  days: [],
  agents: [],
  keptLines: 0,
  perKeptLine: null,
  budgets: [],
  milestone: null,
} as const;

/** A repository that cannot be read now. */
export function describeUnreadable(trouble: string): RepositoryPage {
  const nothing = { branch: null, running: null, undoable: null, acceptable: null };
  return makeHarmless({ kind: "repository", ...nothing, series: [], inbox: [], money: NO_MONEY, trouble });
}
