/** What is known of one repository: its ticks as rows, and the page of its state. It grows with the journal. */
import type { Status } from "../records/status-answers.ts";
import type { JournalLine } from "../records/event.ts";
import { foldShared } from "../records/folded-lines.ts";
import { BudgetCourse } from "../journal/pure/rate-limit.ts";
import { findLastAcceptedRun, RunsFold } from "../journal/pure/journal-runs.ts";
import { foldTickRecords, type TickRecord } from "../tick/pure/tick-records.ts";
import { readStatus, summariseStatus } from "../history/read-status.ts";
import type { StatusRequest } from "../history/status-preflight.ts";
import { isFolder } from "../system/read-files.ts";
import { recallScorecard } from "../journal/remembered-scorecard.ts";
import { listSalvage } from "../keep/salvage.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { makeHarmless } from "./pure/harmless.ts";
import type { TickRow } from "./pure/page-documents.ts";
import type { RepositoryPage, SeriesRow } from "./pure/repository-documents.ts";
import { makeRepositoryPage } from "./pure/repository-page.ts";
import { makeSeriesRow, makeTickRow } from "./pure/tick-row.ts";

export interface RepositoryState {
  /** As `withSnapshot` read it, with the lines that were added since. */
  readonly around: () => WorkspaceSnapshot;
  readonly rows: () => readonly TickRow[];
  /** Those that were made so far. */
  readonly made: () => readonly TickRow[];
  /** All in parts, the newest first: each is made when it is asked for. */
  readonly parts: () => readonly (() => readonly TickRow[])[];
  /** Answers with the rows that changed. */
  readonly add: (lines: readonly JournalLine[]) => readonly TickRow[];
  readonly readPage: (request: StatusRequest) => Promise<RepositoryPage>;
}

const ROWS_PER_PART = 500;
const SERIES_SHOWN = 40;

export function openRepositoryState(first: WorkspaceSnapshot): RepositoryState {
  const lines: JournalLine[] = [];
  const newest = new Map<string, JournalLine>();
  const ofSeries = new Map<string, SeriesLines>();
  const rows = new Map<string, TickRow>();
  const makeRows = (runIds: Iterable<string>): readonly TickRow[] => {
    const records = foldTickRecords(lines);
    return [...runIds].flatMap((runId) => {
      const known = rows.get(runId);
      const [record, last] = [records.find(runId), newest.get(runId)];
      if (known !== undefined || record === null || last === undefined) return known ?? [];
      const row = makeHarmless(makeTickRow(record, last));
      rows.set(runId, row);
      return [row];
    });
  };
  const take = (added: readonly JournalLine[]): ReadonlySet<string> => {
    for (const line of added) {
      lines.push(line);
      newest.set(line.run_id, line);
      rows.delete(line.run_id);
      addToSeries(ofSeries, line);
    }
    return new Set(added.map(({ run_id }) => run_id));
  };
  const around = (): WorkspaceSnapshot => ({ ...first, lines });
  take(listRepositoryLines(first.lines, first.repository));
  return {
    around,
    rows: () => makeRows(newest.keys()),
    made: () => [...rows.values()].toReversed(),
    parts: () => {
      const runIds = [...newest.keys()].toReversed();
      return Array.from({ length: Math.ceil(runIds.length / ROWS_PER_PART) }, (_, part) => {
        const at = part * ROWS_PER_PART;
        return () => makeRows(runIds.slice(at, at + ROWS_PER_PART));
      });
    },
    add: (added) => makeRows(take(added)),
    readPage: (request) => {
      const records = foldTickRecords(lines);
      const series = listNewestSeries(ofSeries).flatMap(({ runIds, last }) => {
        const own = makeRows(runIds);
        const record = records.find(own.at(-1)?.runId ?? "");
        return record === null ? [] : (makeSeriesRow(own, record, last) ?? []);
      });
      return readPage(around(), records.all(), series, request);
    },
  };
}

interface SeriesLines {
  readonly runIds: Set<string>;
  last: JournalLine;
}

function addToSeries(ofSeries: Map<string, SeriesLines>, line: JournalLine): void {
  const series = ofSeries.get(line.series_id);
  if (series === undefined) {
    ofSeries.set(line.series_id, { runIds: new Set([line.run_id]), last: line });
    return;
  }
  if (series.last.run_id !== line.run_id) series.runIds.add(line.run_id);
  series.last = line;
}

function listNewestSeries(ofSeries: ReadonlyMap<string, SeriesLines>): readonly SeriesLines[] {
  return [...ofSeries.values()].toSorted((one, other) => (one.last.at < other.last.at ? 1 : -1)).slice(0, SERIES_SHOWN);
}

async function readPage(
  around: WorkspaceSnapshot,
  records: readonly TickRecord[],
  series: readonly SeriesRow[],
  request: StatusRequest,
): Promise<RepositoryPage> {
  const status = await summariseStatus(around, request);
  if (status.kind !== "status") return describeUnreadable(status.message);
  const salvage = (await listSalvage(around)).flatMap((entry) => {
    if (entry.kind !== "found") return [];
    const { kept_at: keptAt, code, files } = entry.work;
    return [{ runId: entry.runId, keptAt, code, files: files.length }];
  });
  const undoable = findLastAcceptedRun(around.lines, around.repository.root)?.runId ?? null;
  const others = await readLinkedWorktrees(around, request);
  const course = foldShared(around.lines).fold(BudgetCourse).list();
  const scorecard = recallScorecard(around.stateDirectory);
  return makeHarmless(makeRepositoryPage({ status, others, records, series, course, salvage, undoable, scorecard }));
}

/** Linked worktrees share a journal; each has its own change that waits. */
async function readLinkedWorktrees(
  { lines, repository }: WorkspaceSnapshot,
  request: StatusRequest,
): Promise<readonly Status[]> {
  const folders = foldShared(lines)
    .fold(RunsFold)
    .listPlaces()
    .map(({ worktree }) => worktree);
  const found: Status[] = [];
  for (const cwd of new Set(folders)) {
    if (cwd === repository.root || !isFolder(cwd)) continue;
    const status = await readStatus({ ...request, cwd });
    if (status.kind === "status" && status.repository === cwd) found.push(status);
  }
  return found;
}

const NO_MONEY = {
  kind: "money",
  total: { cost: 0, ticks: 0, tokensIn: 0, tokensOut: 0 },
  unreported: 0,
  days: [],
  agents: [],
  series: [],
  keptLines: 0,
  perKeptLine: null,
  budgets: [],
  milestone: null,
  moments: [],
} as const;

/** A repository that cannot be read now. */
export function describeUnreadable(trouble: string): RepositoryPage {
  const nothing = { branch: null, running: null, undoable: null, acceptable: null, ticks: 0 };
  return makeHarmless({
    kind: "repository",
    ...nothing,
    series: [],
    inbox: [],
    money: NO_MONEY,
    trouble,
    scorecard: null,
  });
}
