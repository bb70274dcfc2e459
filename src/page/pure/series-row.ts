import type { JournalLine } from "../../records/event.ts";
import type { SeriesEnd } from "../../base/codes.ts";
import { SERIES_ENDS } from "../../base/codes.ts";
import type { TickRecord } from "../../tick/pure/tick-records.ts";
import { findStart, findTask } from "../../tick/pure/tick-facts.ts";
import { formatDollarSum } from "../../base/dollars.ts";
import { shorten } from "../../base/shorten.ts";
import type { PageTone, TickRow } from "./page-documents.ts";
import type { SeriesRow } from "./repository-documents.ts";

const ENDS: Readonly<Record<SeriesEnd, readonly [word: string, tone: PageTone]>> = {
  complete: ["Complete", "good"],
  max_ticks: ["Done", "good"],
  milestone_changed: ["Milestone changed", "calm"],
  stopped: ["Stopped", "bad"],
  breaker: ["No progress", "bad"],
  timeout: ["Out of iterations", "bad"],
  blocked: ["Blocked", "bad"],
  budget_warning: ["Budget nearly used", "wait"],
  needs_human: ["Needs you", "wait"],
  stuck: ["Stuck", "bad"],
  paused: ["Paused", "wait"],
  interrupted: ["Interrupted", "wait"],
};

/** How a series stands, by its newest tick and by what was recorded after it. */
export function describeSeriesEnd(last: TickRow, after: JournalLine | null): Pick<SeriesRow, "word" | "tone"> {
  const event = after?.event;
  if (event?.type === "series_ended") {
    const [word, tone] = ENDS[event.end];
    return { word, tone };
  }
  if (event?.type === "series_waiting") return { word: "Waits for a limit", tone: "wait" };
  const { word, tone } = last;
  return { word, tone };
}

export function explainSeriesEnd(end: SeriesEnd): string {
  return SERIES_ENDS[end].meaning;
}

const TITLE_CHARS = 200;

/** The objective of a goal or campaign, the intent of a single tick. */
export function chooseSeriesTitle({ state }: TickRecord): string {
  const series = findStart(state)?.series;
  if (series === undefined) return findTask(state)?.intent ?? "relais run";
  return (series.goal ?? series.campaign)?.objective ?? `relais ${series.command}`;
}

/** One series after its newest tick. */
export function makeSeriesRow(rows: readonly TickRow[], last: TickRecord, after: JournalLine | null): SeriesRow | null {
  const [first, newest] = [rows[0], rows.at(-1)];
  if (first === undefined || newest === undefined) return null;
  const costs = rows.flatMap(({ cost }) => cost ?? []);
  return {
    seriesId: newest.seriesId,
    workflow: newest.workflow,
    command: findStart(last.state)?.series?.command ?? "run",
    title: shorten(chooseSeriesTitle(last), TITLE_CHARS),
    ...describeSeriesEnd(newest, after),
    ticks: rows.length,
    cost: costs.length === 0 ? null : costs.reduce(formatDollarSum, 0),
    lastRunId: newest.runId,
    startedAt: first.startedAt,
    updatedAt: after?.at ?? newest.endedAt ?? newest.startedAt,
  };
}
