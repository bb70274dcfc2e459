/** `relais report --html`: the pages of some ticks as one file. */
import { basename, resolve } from "node:path";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { foldShared } from "../records/folded-lines.ts";
import { BudgetCourse } from "../journal/pure/rate-limit.ts";
import { findRun } from "../journal/pure/journal-runs.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readClockMs } from "../system/clock.ts";
import { describeError } from "../base/errors.ts";
import type { StatusRequest } from "../history/status-preflight.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { makeHarmless } from "./pure/harmless.ts";
import type { ReportBundle, RepositoryPage } from "./pure/repository-documents.ts";
import { makeMoneyPage } from "./pure/money-page.ts";
import { listTickRecords } from "../tick/pure/tick-records.ts";
import { makeReportFile } from "./served-page.ts";
import { isDocumentName, type PageDocument, readDocument } from "./read-documents.ts";
import { openRepositoryState } from "./repository-state.ts";

export interface ReportRequest extends StatusRequest {
  /** The id of a tick or of a series, or the beginning or end of it; null is the newest series. */
  readonly asked: string | null;
  readonly file: string;
  readonly version: string;
}

export interface WrittenReport {
  readonly kind: "written";
  readonly file: string;
  readonly bytes: number;
  readonly ticks: number;
  /** Documents that would make the file too large. */
  readonly leftOut: number;
}

/** A browser opens this much without trouble. */
const BYTES_MAX = 48 * 1024 * 1024;
const HERE = "here";

export function writeReport(request: ReportRequest): Promise<WrittenReport | CommandFailure> {
  return withSnapshot(request, async (around) => {
    const chosen = chooseTicks(around, request.asked);
    if (chosen.kind !== "chosen") return chosen;
    const { documents, leftOut } = await collectDocuments(around, chosen, request.signal);
    const bundle = await makeBundle(around, chosen, documents, request);
    return writeFile(makeReportFile(bundle), request, chosen.runIds.length, leftOut);
  });
}

interface ChosenTicks {
  readonly kind: "chosen";
  readonly seriesId: string;
  readonly runIds: readonly string[];
  /** Whether one tick of a longer series was named. */
  readonly isOne: boolean;
}

function chooseTicks({ lines }: WorkspaceSnapshot, asked: string | null): ChosenTicks | CommandFailure {
  const newest = lines.at(-1);
  if (newest === undefined) {
    const message = "No tick has been recorded yet.";
    return refuse({ cause: "nothing_there", message, next: 'Run one with `relais run "..."`.' });
  }
  const series = [...new Set(lines.map(({ series_id }) => series_id))];
  const found = asked === null ? { kind: "run" as const, runId: newest.series_id } : findRun(asked, series);
  if (found.kind === "run") {
    const own = lines.filter(({ series_id }) => series_id === found.runId);
    return { kind: "chosen", seriesId: found.runId, runIds: [...new Set(own.map(listRun))], isOne: false };
  }
  const run = findRun(asked, [...new Set(lines.map(listRun))]);
  if (run.kind === "run") {
    const seriesId = lines.find(({ run_id }) => run_id === run.runId)?.series_id ?? "";
    return { kind: "chosen", seriesId, runIds: [run.runId], isOne: true };
  }
  const several = [found, run].flatMap((one) => (one.kind === "several" ? one.runIds : []));
  const message = several.length === 0 ? `There is no tick or series ${asked}.` : `${asked} matches several.`;
  return refuse({ cause: "unknown_run", message, paths: several.slice(0, 10), next: "See `relais history list`." });
}

const listRun = ({ run_id }: { readonly run_id: string }): string => run_id;

interface Collected {
  readonly documents: Record<string, PageDocument>;
  readonly leftOut: number;
}

/** The overview of every tick first, because the others may not fit. */
async function collectDocuments(
  around: WorkspaceSnapshot,
  { seriesId, runIds }: ChosenTicks,
  signal: AbortSignal,
): Promise<Collected> {
  const documents: Record<string, PageDocument> = {};
  let [bytes, leftOut] = [0, 0];
  for (const name of ["series", "run", "diff", "transcript"]) {
    for (const id of name === "series" ? [seriesId] : runIds) {
      const document = isDocumentName(name) ? await readDocument(name, { around, id, signal }) : null;
      if (document === null || document.kind === "blocked" || document.kind === "refused") continue;
      const size = JSON.stringify(document).length;
      if (bytes + size > BYTES_MAX) leftOut += 1;
      else {
        documents[`${name}/${id}`] = document;
        bytes += size;
      }
    }
  }
  return { documents, leftOut };
}

async function makeBundle(
  around: WorkspaceSnapshot,
  chosen: ChosenTicks,
  documents: Collected["documents"],
  request: ReportRequest,
): Promise<ReportBundle> {
  const { runIds, seriesId, isOne } = chosen;
  const state = openRepositoryState(around);
  const { root } = around.repository;
  const page = await state.readPage(request);
  const first = isOne || runIds.length === 1 ? `run/${runIds[0] ?? ""}` : `series/${seriesId}`;
  return {
    version: request.version,
    madeAt: new Date(readClockMs()).toISOString(),
    repository: { id: HERE, name: makeHarmless(basename(root)), root: makeHarmless(root) },
    first: `#/r/${HERE}/${first}`,
    rows: state.rows().filter(({ runId }) => runIds.includes(runId)),
    page: { ...narrowPage(page, chosen), money: makeHarmless(makeMoney(around, new Set(runIds))) },
    documents,
  };
}

/** What these ticks spent, and of their milestone. */
function makeMoney({ lines, config }: WorkspaceSnapshot, runIds: ReadonlySet<string>): RepositoryPage["money"] {
  const records = listTickRecords(lines).filter(({ runId }) => runIds.has(runId));
  const course = foldShared(lines).fold(BudgetCourse).listOf(runIds);
  const last = course.at(-1);
  const budgets = last && { ...last, caps: config.budgets.per_milestone };
  return makeMoneyPage({ records, budgets: budgets ?? null, course });
}

/** Only what is about these ticks: the file may be sent to others. */
function narrowPage(page: RepositoryPage, { runIds, seriesId }: ChosenTicks): RepositoryPage {
  return {
    ...page,
    running: null,
    trouble: null,
    ticks: runIds.length,
    series: page.series.filter((series) => series.seriesId === seriesId),
    inbox: page.inbox.filter(({ runId }) => runId !== null && runIds.includes(runId)),
  };
}

async function writeFile(
  text: string,
  request: ReportRequest,
  ticks: number,
  leftOut: number,
): Promise<WrittenReport | CommandFailure> {
  const file = resolve(request.cwd, request.file);
  try {
    await writeAtomic(file, text, { mode: 0o600 });
  } catch (error) {
    const message = `The file ${file} cannot be written: ${describeError(error)}.`;
    return refuse({ cause: "not_written", message, next: "Name another file with --html." });
  }
  return { kind: "written", file, bytes: Buffer.byteLength(text), ticks, leftOut };
}
