/** The documents of a page, from a repository that is only read. */
import { join } from "node:path";
import type { CommandFailure } from "../records/command-failure.ts";
import { findFindings } from "../tick/pure/tick-facts.ts";
import { findTickRecord } from "../tick/pure/tick-records.ts";
import { listPastTicks } from "../history/past-ticks.ts";
import { findTickChange } from "../history/find-tick-change.ts";
import { readTickLog } from "../history/tick-log.ts";
import { readTreeFile } from "../workspace/tree-file.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { makeDiffPage } from "./pure/diff-page.ts";
import { makeHarmless } from "./pure/harmless.ts";
import type { DiffPage, RunPage, SeriesPage, TranscriptPage } from "./pure/page-documents.ts";
import { describeFinding, makeRunPage } from "./pure/run-page.ts";
import { makeSeriesPage } from "./pure/series-page.ts";
import { makeTranscriptPage } from "./pure/transcript-page.ts";

export type PageDocument = RunPage | DiffPage | SeriesPage | TranscriptPage;

interface DocumentQuestion {
  readonly around: WorkspaceSnapshot;
  /** A tick or a series. */
  readonly id: string;
  readonly signal: AbortSignal;
}

type ReadDocument = (question: DocumentQuestion) => Promise<PageDocument | CommandFailure | null>;

/**
 * By the name in the address. A new page also needs its document in `pure/page-documents.ts`, a route in `browser/route.ts`
 * and a component that only draws it.
 */
const READ: Readonly<Record<PageDocument["kind"], ReadDocument>> = {
  run: async ({ around, id }) => makeRunPage(around.lines, id),
  diff: readDiff,
  transcript: async ({ around, id }) => (isKnown(around, id) ? makeTranscriptPage(id, readTickLog(around, id)) : null),
  series: async ({ around: { lines, config, repository }, id }) => {
    const read = readTreeFile({ folder: join(repository.root, config.workspace_dir) });
    const tree = read.kind === "tree" ? read.tree : null;
    return makeSeriesPage(lines, id, config.budgets, tree);
  },
};

export function isDocumentName(name: string): name is PageDocument["kind"] {
  return Object.hasOwn(READ, name);
}

/** Null where there is none of this id. */
export async function readDocument(
  name: PageDocument["kind"],
  question: DocumentQuestion,
): Promise<PageDocument | CommandFailure | null> {
  return makeHarmless(await READ[name](question));
}

function isKnown({ lines }: WorkspaceSnapshot, id: string): boolean {
  return lines.some(({ run_id }) => run_id === id);
}

async function readDiff({ around, id, signal }: DocumentQuestion): Promise<DiffPage | CommandFailure | null> {
  const record = findTickRecord(around.lines, id);
  const tick = (await listPastTicks(around)).find(({ runId }) => runId === id);
  if (record === null || tick === undefined) return null;
  const change = await findTickChange(around, tick, signal);
  if (change.kind !== "change") return change;
  const findings = findFindings(record.state).map(describeFinding);
  return makeDiffPage(change, Buffer.from(change.patch).toString("utf8"), findings);
}
