import type { Report } from "../../records/report.ts";
import type { JournalLine } from "../../records/event.ts";
import { NOTHING_SPENT } from "../../tick/pure/budget.ts";
import { buildReport } from "../../tick/pure/build-report.ts";
import { reportUsage } from "../../tick/pure/report-parts.ts";
import {
  findJudgement,
  findOutcome,
  findReportable,
  findSettled,
  findSettlement,
  findStart,
  findTask,
  isUndone,
} from "../../tick/pure/tick-facts.ts";
import type { TickRecord } from "../../tick/pure/tick-records.ts";
import { findOpenTurn } from "../../tick/pure/tick-turn.ts";
import { formatDollarSum, shorten, parseMoment } from "../../base/words.ts";
import { describeCause } from "../../tick/pure/cause-words.ts";
import { pickVerdictMark } from "../../cards/report-words.ts";
import { renderHeadlineReason, renderTickWord } from "../../cards/tick-headline.ts";
import { findStep } from "../../cards/phase-strip.ts";
import type { Sign } from "../../base/canvas.ts";
import type { PageTone, TickRow } from "./page-documents.ts";
import { type SeriesEnd, SERIES_ENDS } from "../../base/codes.ts";
import type { SeriesRow } from "./repository-documents.ts";

const NO_PATHS = { historyDir: null, diffPatch: null, verifyLog: null, reportMd: null };
const INTENT_CHARS = 300;
const SECOND_MS = 1000;

/** The report of a tick that is over, made from its events alone; its budgets are those of no milestone. */
export function reportTick({ runId, seriesId, startedAt, endedAt, state }: TickRecord): Report | null {
  const reportable = findReportable(state);
  if (reportable === null || endedAt === null) return null;
  const durationMs = Math.max(0, parseMoment(endedAt) - parseMoment(startedAt));
  const budgets = { ...NOTHING_SPENT, milestone_id: null, warnings: [] };
  return buildReport({
    runId,
    seriesId,
    state: reportable,
    startedAt,
    endedAt,
    durationMs,
    budgets,
    paths: NO_PATHS,
  });
}

/** One tick in a list; `last` is its newest line. */
export function makeTickRow(record: TickRecord, last: JournalLine): TickRow {
  const { runId, seriesId, startedAt, endedAt, state } = record;
  const intent = findTask(state)?.intent ?? null;
  return {
    runId,
    seriesId,
    ...describeStart(record),
    startedAt,
    endedAt,
    ...describeEnd(record),
    intent: intent === null ? null : shorten(intent, INTENT_CHARS),
    step: endedAt === null ? findStep(state) : null,
    stepSince: endedAt === null ? last.at : null,
    ...measureChange(record),
    cost: sumCost(reportUsage(state)),
    change: describeChange(record),
    asksUntil: state.phase === "ask" ? state.asked.until : null,
  };
}

function describeStart({ state }: TickRecord): Pick<TickRow, "workflow" | "command" | "limitMs" | "worktree"> {
  const start = findStart(state);
  if (start === null) return { workflow: "relay", command: "run", limitMs: null, worktree: null };
  const { workflow, series, max_tick_seconds, worktree } = start;
  return { workflow, command: series?.command ?? "run", limitMs: max_tick_seconds * SECOND_MS, worktree };
}

function measureChange({ state }: TickRecord): Pick<TickRow, "files" | "added" | "deleted"> {
  const judged = findJudgement(state);
  if (judged === null) return { files: null, added: 0, deleted: 0 };
  const { files_touched: files, lines_added: added, lines_deleted: deleted } = judged.blast_radius;
  return { files, added, deleted };
}

/** Null where nobody reported a cost, which is not the same as nothing. */
export function sumCost(usage: readonly { readonly cost_usd: number | null }[]): number | null {
  const known = usage.flatMap(({ cost_usd }) => cost_usd ?? []);
  return known.length === 0 ? null : known.reduce(formatDollarSum, 0);
}

type RowEnd = Pick<TickRow, "word" | "tone" | "code" | "reason">;

function describeEnd(record: TickRecord): RowEnd {
  const { state, endedAt } = record;
  if (endedAt === null) return describeOpen(record);
  const report = reportTick(record);
  if (report === null) return describeUnreported(record);
  const { code } = report;
  const turn = findOpenTurn(state);
  const tone = chooseTone(pickVerdictMark({ code, turn }));
  // "Iteration 1: the plan changed" is a word and its reason.
  const [turnWord = "", ...rest] = turn?.split(": ") ?? [];
  if (turn !== null) return { word: turnWord, tone, code, reason: rest.join(": ") };
  const word = isUndone(state) ? "Undone" : renderTickWord(report);
  return { word, tone, code, reason: renderHeadlineReason(report) };
}

function describeOpen({ state }: TickRecord): RowEnd {
  const word = state.phase === "ask" ? "Waits for you" : "Running";
  return { word, tone: "wait", code: null, reason: null };
}

/** An abandoned tick may have no other event. */
function describeUnreported({ state }: TickRecord): RowEnd {
  const outcome = findOutcome(state);
  if (outcome === null) return { word: "Stopped", tone: "bad", code: null, reason: null };
  const { meaning } = describeCause(outcome.code, outcome.cause);
  return { word: "Stopped", tone: "bad", code: outcome.code, reason: outcome.message ?? meaning };
}

export function chooseTone({ mark }: Sign): PageTone {
  if (mark === "✓") return "good";
  if (mark === "✗") return "bad";
  return mark === "…" || mark === "?" ? "wait" : "calm";
}

function describeChange({ state }: TickRecord): TickRow["change"] {
  const settled = findSettled(state);
  if (settled === null || (findJudgement(state)?.blast_radius.files_touched ?? 0) === 0) return null;
  if (isUndone(state)) return "undone";
  if (settled.action === "rollback") return "reverted";
  return findSettlement(state).isCommitted ? "committed" : "kept";
}

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
